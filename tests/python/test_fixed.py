import pytest

from chunk_bakeoff.chunk import Sizing
from chunk_bakeoff.documents import Document
from chunk_bakeoff.strategies import fixed, fixed_chars


def spans(cut, text, **settings):
    return [(chunk.start, chunk.end) for chunk in cut(Document(text), **settings)]


# ring the bell . ring the bell .
BELLS = "ring the bell. ring the bell."


def test_windows_of_tokens(sizing):
    assert spans(fixed.cut, BELLS, sizing=sizing, size=4) == [(0, 14), (15, 29)]
    assert spans(fixed.cut, BELLS, sizing=sizing, size=5) == [(0, 19), (20, 29)]
    assert spans(fixed.cut, BELLS, sizing=sizing, size=4, overlap=2) == [(0, 14), (9, 23), (15, 29)]
    assert spans(fixed.cut, BELLS, sizing=sizing, size=250) == [(0, 29)]


def test_characters_without_a_token_are_kept(sizing):
    text = "\u200bring\u200b the\u200e bell\u200f"
    assert spans(fixed.cut, text, sizing=sizing, size=1) == [(0, 6), (7, 11), (12, 17)]


def test_a_syllable_of_three_tokens_is_never_cut(sizing):
    # 3 + 3 + 2 tokens, a space, 3 + 2 tokens.
    text = "한국어 문서"
    assert spans(fixed.cut, text, sizing=sizing, size=2) == [(0, 1), (1, 2), (2, 3), (4, 5), (5, 6)]
    assert spans(fixed.cut, text, sizing=sizing, size=6) == [(0, 2), (2, 5), (5, 6)]


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"size": 0}, "size must be at least 1"),
        ({"size": 8, "overlap": 8}, "overlap"),
        ({"size": 256}, "at most 254 tokens besides the special ones.*declare over_limit"),
    ],
)
def test_refuses_sizes_that_cannot_work(sizing, settings, complaint):
    with pytest.raises(ValueError, match=complaint):
        spans(fixed.cut, "", sizing=sizing, **settings)


def test_a_size_beyond_the_limit_can_be_declared(tokenizer):
    declared = Sizing(tokenizer, 256, may_pass_limit=True)
    assert spans(fixed.cut, "river " * 300, sizing=declared, size=300) == [(0, 1799)]


def test_windows_of_characters():
    assert spans(fixed_chars.cut, "abcdefghij", size=4) == [(0, 4), (4, 8), (8, 10)]
    assert spans(fixed_chars.cut, "abcdefghij", size=4, overlap=1) == [(0, 4), (3, 7), (6, 10)]
    # Every 350 characters a window of 400.
    assert spans(fixed_chars.cut, "x" * 1000, size=400, overlap=50) == [
        (0, 400), (350, 750), (700, 1000)
    ]  # fmt: skip


def test_windows_of_white_space_are_left_out():
    assert spans(fixed_chars.cut, "ab\n\n\xa0\u3000cd", size=2) == [(0, 2), (6, 8)]


@pytest.mark.parametrize("settings", [{"size": 0}, {"size": 8, "overlap": 8}])
def test_windows_of_characters_that_would_not_move_on(settings):
    with pytest.raises(ValueError, match=r"size|overlap"):
        spans(fixed_chars.cut, "", **settings)
