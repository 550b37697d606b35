"""Recursive splitting: examples by hand, and langchain-text-splitters as the oracle."""

import csv
import os
import re
from functools import lru_cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from langchain_text_splitters import RecursiveCharacterTextSplitter
from random_texts import INFORMATION_SEPARATORS, random_text, texts
from support import REPO

from chunk_bakeoff.chunk import Sizing
from chunk_bakeoff.documents import Document, canonical_text
from chunk_bakeoff.strategies.recursive import RecursiveSplitter, cut
from chunk_bakeoff.text import WHITE_SPACE

SIZES = [(248, 0), (64, 16), (20, 19), (5, 0)]
REFERENCES = Path(os.environ.get("CHUNK_BAKEOFF_REFERENCES", REPO.parent / "shared/reference"))


def slices(text, sizing, **settings):
    return [
        text[chunk.start : chunk.end] for chunk in cut(Document(text), sizing=sizing, **settings)
    ]


def oracle(text, tokenizer, size, overlap):
    splitter = RecursiveCharacterTextSplitter(
        chunk_size=size,
        chunk_overlap=overlap,
        length_function=lambda piece: tokenizer.count_one(piece) - tokenizer.special_tokens,
    )
    return splitter.split_text(text)


def test_packs_paragraphs_up_to_the_size(sizing):
    # 2, 2 and 3 tokens.
    text = "one two\n\nthree four\n\nfive six seven"
    assert slices(text, sizing, size=4) == ["one two\n\nthree four", "five six seven"]
    assert slices(text, sizing, size=7) == [text]


def test_takes_the_next_separator_for_what_is_too_long(sizing):
    text = "one two three\nfour five\n\nsix"
    # The first paragraph has 5 tokens: it is split at its line break, "four five" keeps company
    # with nothing, because the next paragraph is a piece of the level above.
    assert slices(text, sizing, size=4) == ["one two three", "four five", "six"]
    assert slices(text, sizing, size=2) == ["one two", "three", "four five", "six"]


def test_a_piece_as_long_as_the_size_is_split_like_the_original_does(sizing):
    # langchain keeps a piece only when it is shorter than the size, and then packs up to the size.
    assert slices("one two\n\nthree", sizing, size=2) == ["one two", "three"]


def test_repeats_whole_pieces_within_the_overlap(sizing):
    text = "a b c d e f g"
    assert slices(text, sizing, size=3, overlap=1) == ["a b c", "c d e", "e f g"]
    assert slices(text, sizing, size=3, overlap=2) == ["a b c", "b c d", "c d e", "d e f", "e f g"]


def test_cuts_a_word_by_characters_when_nothing_else_helps(sizing):
    # The whole is one unknown token, but without a separator letters are counted one by one.
    assert slices("z" * 105, sizing, size=50) == ["z" * 50, "z" * 50, "z" * 5]
    assert slices("z" * 105, sizing, size=1) == ["z"] * 105


def test_default_size_keeps_eight_tokens_free(sizing):
    text = "river " * 600
    chunks = slices(text, sizing)
    assert [chunk.count("river") for chunk in chunks] == [248, 248, 104]


def test_other_separators(tokenizer):
    splitter = RecursiveSplitter("a b\nc d", tokenizer, [re.compile("\n")])
    # Behind the only separator come single characters.
    assert [tuple(span) for span in splitter.split(0, 7, size=1)] == [
        (0, 1), (2, 3), (4, 5), (6, 7)
    ]  # fmt: skip
    assert [tuple(span) for span in splitter.split(0, 7, size=3)] == [(0, 3), (4, 7)]


def test_splits_a_part_of_the_text_only(tokenizer):
    splitter = RecursiveSplitter("one two three four", tokenizer)
    assert [tuple(span) for span in splitter.split(3, 13, size=2)] == [(4, 13)]
    assert [tuple(span) for span in splitter.split(8, 18, size=2)] == [(8, 18)]


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"size": 0}, "size must be at least 1"),
        ({"size": 8, "overlap": 8}, "overlap must be at least 0 and smaller than size"),
        ({"size": 8, "overlap": -1}, "overlap must be at least 0"),
        ({"size": 255}, "at most 254 tokens besides the special ones"),
    ],
)
def test_refuses_sizes_that_cannot_work(sizing, settings, complaint):
    with pytest.raises(ValueError, match=complaint):
        list(cut(Document(""), sizing=sizing, **settings))


def test_a_size_beyond_the_limit_can_be_declared(tokenizer):
    text = "river " * 300
    assert len(slices(text, Sizing(tokenizer, 256, may_pass_limit=True), size=300)) == 1


@pytest.mark.parametrize(("size", "overlap"), SIZES)
def test_boundaries_are_those_of_langchain_on_the_bundled_corpus(
    corpus, tokenizer, sizing, size, overlap
):
    for doc_id, text in corpus.items():
        expected = oracle(text, tokenizer, size, overlap)
        assert slices(text, sizing, size=size, overlap=overlap) == expected, doc_id


@pytest.mark.skipif(
    not REFERENCES.is_dir(),
    reason=f"the reference documents were not compared: there is no folder {REFERENCES}",
)
@pytest.mark.parametrize(("size", "overlap"), SIZES)
def test_boundaries_are_those_of_langchain_on_the_references(tokenizer, sizing, size, overlap):
    files = sorted(REFERENCES.glob("*/*.md"))
    assert files
    for file in files:
        text = canonical_text(file.read_text("utf-8"), ["drop_link_definitions"])
        expected = oracle(text, tokenizer, size, overlap)
        assert slices(text, sizing, size=size, overlap=overlap) == expected, file


@given(text=texts(more=[]), size=st.integers(1, 12), overlap=st.integers(0, 11))
@example(text="\u200b\n\n\u200b a", size=1, overlap=0)
@example(text="한국어문서 " * 5, size=4, overlap=2)
def test_boundaries_are_those_of_langchain_on_random_texts(tokenizer, sizing, text, size, overlap):
    overlap = min(overlap, size - 1)
    expected = oracle(text, tokenizer, size, overlap)
    assert slices(text, sizing, size=size, overlap=overlap) == expected


@given(text=texts(), size=st.integers(1, 12), overlap=st.integers(0, 11))
@example(text="\x1cone\x1d \x1e two\x1f", size=1, overlap=0)
def test_only_information_separators_are_not_stripped(tokenizer, sizing, text, size, overlap):
    """`str.strip` in langchain takes U+001C to U+001F for white space. They are not.

    Here they stay at the edges of a chunk, and a chunk may consist of them. Apart from that the
    boundaries agree.
    """
    overlap = min(overlap, size - 1)
    ours = slices(text, sizing, size=size, overlap=overlap)
    both = WHITE_SPACE + "".join(INFORMATION_SEPARATORS)
    stripped = [chunk.strip(both) for chunk in ours]
    assert [chunk for chunk in stripped if chunk] == oracle(text, tokenizer, size, overlap)


@pytest.mark.slow
def test_boundaries_are_those_of_langchain_on_ten_thousand_texts(tokenizer, sizing):
    """Every text whose boundaries differ holds one of U+001C to U+001F, as explained above."""
    random = Random(20261130)
    count = lru_cache(maxsize=None)(lambda piece: tokenizer.count_one(piece) - 2)
    both = WHITE_SPACE + "".join(INFORMATION_SEPARATORS)
    without = 0
    for _ in range(10_000):
        text = random_text(random)
        size = random.randint(1, 12)
        overlap = random.randrange(size)
        splitter = RecursiveCharacterTextSplitter(
            chunk_size=size, chunk_overlap=overlap, length_function=count
        )
        expected = splitter.split_text(text)
        ours = slices(text, sizing, size=size, overlap=overlap)
        if not any(separator in text for separator in INFORMATION_SEPARATORS):
            without += 1
            assert ours == expected
        elif ours != expected:
            stripped = [chunk.strip(both) for chunk in ours]
            assert [chunk for chunk in stripped if chunk] == expected
    assert without > 4_000


def test_every_bundled_document_was_read(corpus):
    with (REPO / "seeds" / "raw_documents.csv").open(encoding="utf-8", newline="") as file:
        assert len(corpus) == sum(1 for _ in csv.reader(file)) - 1
