import pytest
from hypothesis import given
from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter
from random_texts import texts, uncovered
from support import TOKENIZER

from chunk_bakeoff.alignment import align, check_slices, split_marked
from chunk_bakeoff.documents import Document
from chunk_bakeoff.strategies import libraries
from chunk_bakeoff.text import Span


@given(texts(more=[]))
def test_langchain_is_placed_exactly(text):
    chunks = list(libraries.cut_langchain(Document(text), size=20, overlap=6))
    splitter = RecursiveCharacterTextSplitter(chunk_size=20, chunk_overlap=6)
    assert [text[c.start : c.end] for c in chunks] == splitter.split_text(text)
    assert uncovered(text, [(c.start, c.end) for c in chunks]) == ""


def test_repeated_text_is_placed_where_it_stands():
    text = "same same same same same same"
    spans = split_marked(
        text, RecursiveCharacterTextSplitter(chunk_size=10, chunk_overlap=5).split_text, "LangChain"
    )
    assert spans == [(0, 9), (5, 14), (10, 19), (15, 24), (20, 29)]


def test_langchain_headers_keep_the_source(corpus):
    levels = [("#", "1"), ("##", "2"), ("###", "3")]
    for text in corpus.values():
        chunks = list(libraries.cut_langchain_headers(Document(text)))
        given = MarkdownHeaderTextSplitter(levels, strip_headers=False).split_text(text)
        assert [c.embed_text for c in chunks] == [part.page_content for part in given]
        assert uncovered(text, [(c.start, c.end) for c in chunks]) == ""


@pytest.mark.parametrize(
    "cut", [libraries.cut_semchunk, libraries.cut_semantic_text_splitter], ids=["semchunk", "sts"]
)
def test_libraries_with_offsets_cover_the_corpus(cut, corpus, sizing):
    for text in corpus.values():
        chunks = list(cut(Document(text), sizing=sizing))
        assert uncovered(text, [(c.start, c.end) for c in chunks]) == ""
        for chunk in chunks:
            assert sizing.tokenizer.count_one(text[chunk.start : chunk.end]) <= 250


def test_chonkie_covers_the_corpus(corpus):
    for text in corpus.values():
        chunks = list(libraries.cut_chonkie(Document(text)))
        assert uncovered(text, [(c.start, c.end) for c in chunks]) == ""


def test_alignment_takes_the_only_place_that_covers_all():
    # "a b" occurs at 0 and at 6; behind the second piece only 6 is left.
    assert align("a b c a b d", ["a b", "c", "a b d"], "L") == [(0, 3), (4, 5), (6, 11)]
    assert align("a b c", ["a b", "b c"], "L") == [(0, 3), (2, 5)]
    assert align("  ", [], "L") == []


@pytest.mark.parametrize(
    ("text", "pieces", "complaint"),
    [
        ("x x x x x", ["x x", "x x", "x x"], r"chunk 2 fits at code points \[2, 4\]"),
        ("one two", ["one", "too"], "chunk 2 that is not in the text"),
        ("one two", ["one"], r"leaves out the text \[3, 7\) 'two'"),
        ("one two", [], r"leaves out the text \[0, 7\)"),
        ("one two", ["two"], "chunk 1 that is not in the text where it must be"),
    ],
)
def test_what_cannot_be_placed_is_refused(text, pieces, complaint):
    with pytest.raises(ValueError, match=complaint):
        align(text, pieces, "L")


def test_wrong_offsets_are_refused():
    with pytest.raises(ValueError, match="chunk 1, which is not its text"):
        check_slices("abc", [Span(0, 2)], ["bc"], "L")


def test_a_missing_library_is_named(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr("importlib.import_module", missing)
    with pytest.raises(ValueError, match="pip install semchunk"):
        list(libraries.cut_semchunk(Document("x"), sizing=None, size=3))


def in_order_and_whole(document, chunks):
    spans = [(c.start, c.end) for c in chunks]
    assert spans == sorted(set(spans))
    assert uncovered(document.text, spans) == ""


@pytest.mark.slow
def test_chonkie_semantic_keeps_sentences_and_size(corpus, tokenizer):
    text = (
        "The river rises in the hills. It carries stones to the sea. Its water is cold in spring. "
        "The invoice is due in thirty days. Payment goes to the bank account below."
    )
    # A sentence has at most ten tokens, two of them always more than twelve.
    settings = {"model": TOKENIZER, "size": 12}
    chunks = list(libraries.cut_chonkie_semantic(Document(text), **settings))
    assert [text[c.start : c.end] for c in chunks] == [
        "The river rises in the hills.",
        "It carries stones to the sea.",
        "Its water is cold in spring.",
        "The invoice is due in thirty days.",
        "Payment goes to the bank account below.",
    ]
    assert list(libraries.cut_chonkie_semantic(Document(" \n"), **settings)) == []
    shortest = min(corpus.values(), key=len)
    for document in (Document(shortest), Document("# One\n\n## Two\n")):
        in_order_and_whole(document, libraries.cut_chonkie_semantic(document, model=TOKENIZER))


@pytest.mark.slow
def test_llamaindex_is_placed_or_refused(corpus):
    """All of it in one test: importing the library takes half a minute."""
    for name, text in corpus.items():
        document = Document(text, name)
        in_order_and_whole(document, libraries.cut_llamaindex(document))
    # A text that repeats itself fits in several places.
    with pytest.raises(ValueError, match="the document repeats itself"):
        list(libraries.cut_llamaindex(Document("again. " * 200), size=40, overlap=10))
    assert list(libraries.cut_llamaindex(Document(" \n"))) == []
    # Short enough for one chunk.
    text = "The river rises. It carries stones."
    assert [(c.start, c.end) for c in libraries.cut_llamaindex(Document(text))] == [(0, len(text))]
