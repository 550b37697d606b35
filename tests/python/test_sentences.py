import pytest

from chunk_bakeoff.chunk import Sizing
from chunk_bakeoff.documents import Document
from chunk_bakeoff.sentences import sentences
from chunk_bakeoff.strategies import recursive
from chunk_bakeoff.strategies import sentences as strategy


def bodies(text, chunks):
    return [text[chunk.start : chunk.end] for chunk in chunks]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "Dr. Smith paid 3.5 kg, e.g. a lot. He left!", 2),
        ("de", "Das kostet z. B. 3,5 Euro. Er ging.", 2),
        ("zh", "山路在五月开放。渡轮每天两班\uff01票价是八元。", 3),
        ("ar", "متى يفتح المتحف؟ يفتح في التاسعة.", 2),
        ("und", "One. Two. Last has no full stop", 3),
        ("xx-unknown", "One. Two.", 2),
    ],
)
def test_sentences_of_a_language(language, text, expected):
    spans = list(sentences(text, 0, len(text), language))
    assert len(spans) == expected
    assert spans[0].start == 0
    assert spans[-1].end == len(text)


def test_a_part_of_a_text_keeps_its_offsets():
    text = "Not this. One. Two. Not that."
    assert [text[a:b] for a, b in sentences(text, 10, 19)] == ["One.", "Two."]


def test_sentences_are_packed_whole(sizing):
    # Four tokens a sentence.
    text = "The river runs. The stone falls. The boat waits."
    assert bodies(text, strategy.cut(Document(text), sizing=sizing, size=8)) == [
        "The river runs. The stone falls.",
        "The boat waits.",
    ]
    assert bodies(text, strategy.cut(Document(text), sizing=sizing, size=8, overlap=4)) == [
        "The river runs. The stone falls.",
        "The stone falls. The boat waits.",
    ]


def test_a_sentence_between_stride_and_size_does_not_hang(sizing):
    text = "Short one. " + "stone " * 13 + "end. Short two."
    chunks = list(strategy.cut(Document(text), sizing=sizing, size=20, overlap=12))
    starts = [chunk.start for chunk in chunks]
    assert starts == sorted(set(starts))
    assert chunks[-1].end == len(text)


def test_a_window_delivers_the_neighbours(sizing):
    text = "Rain falls. Boats wait. Stones roll. Birds sing."
    chunks = list(strategy.cut_windows(Document(text), sizing=sizing, neighbours=1))
    assert bodies(text, chunks) == ["Rain falls.", "Boats wait.", "Stones roll.", "Birds sing."]
    assert [text[slice(*chunk.context)] for chunk in chunks] == [
        "Rain falls. Boats wait.",
        "Rain falls. Boats wait. Stones roll.",
        "Boats wait. Stones roll. Birds sing.",
        "Stones roll. Birds sing.",
    ]
    with pytest.raises(ValueError, match="neighbours must be at least 0"):
        list(strategy.cut_windows(Document(""), sizing=sizing, neighbours=-1))


def test_the_recursive_sentence_boundary(tokenizer):
    # Behind a mark and white space, before a capital letter or `>` and a capital letter.
    text = "one two. Three four. five six! > Seven eight"
    sizing = Sizing(tokenizer, 256)
    found = recursive.cut(Document(text), sizing=sizing, size=7, sentences=True)
    assert bodies(text, found) == ["one two.", "Three four. five six!", "> Seven eight"]


def test_a_long_line_of_sentences_is_not_quadratic():
    # A hundred times as much text as sentencex is given at once.
    text = "山路在五月开放。" * 50_000
    spans = list(sentences(text, 0, len(text), "zh"))
    assert spans[:2] == [(0, 8), (8, 16)]
    assert len(spans) == 50_000 and spans[-1].end == len(text)


def test_one_endless_sentence_is_cut():
    text = "x" * 140_000
    spans = list(sentences(text, 0, len(text)))
    assert spans == [(0, 65_536), (65_536, 131_072), (131_072, 140_000)]
