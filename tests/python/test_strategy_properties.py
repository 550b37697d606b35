"""What every strategy owes every text, tried on texts that are hard to cut."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_texts import is_white, texts, uncovered

from chunk_bakeoff.chunk import Sizing
from chunk_bakeoff.documents import MARKDOWN, Document
from chunk_bakeoff.strategies import (
    fixed,
    fixed_chars,
    recursive,
    recursive_chars,
    small_to_big,
    structure,
    whole_sections,
)

# Small sizes, so that short texts are cut often.
CUTS = {
    "fixed": (fixed.cut, {"size": 5}),
    "fixed, overlapping": (fixed.cut, {"size": 7, "overlap": 5}),
    "fixed, one token": (fixed.cut, {"size": 1}),
    "fixed_chars": (fixed_chars.cut, {"size": 6}),
    "fixed_chars, overlapping": (fixed_chars.cut, {"size": 9, "overlap": 8}),
    "recursive": (recursive.cut, {"size": 5}),
    "recursive, overlapping": (recursive.cut, {"size": 7, "overlap": 4}),
    "recursive, one token": (recursive.cut, {"size": 1}),
    "recursive_chars": (recursive_chars.cut, {"size": 20}),
    "structure": (structure.cut, {"path": True}),
    "structure, no path": (structure.cut, {"path": False}),
    "small_to_big": (small_to_big.cut, {"child_size": 12}),
    "whole_sections": (whole_sections.cut, {"deepest": 2}),
    "whole_sections, children": (
        whole_sections.cut_children,
        {"child_size": 10, "child_overlap": 3},
    ),
}
SIZED = {fixed.cut, recursive.cut, structure.cut, small_to_big.cut}


@pytest.fixture(scope="module", params=CUTS)
def cut(request, tokenizer):
    function, arguments = CUTS[request.param]
    if function in SIZED:
        # A model that reads little, so that sections are split.
        arguments = {**arguments, "sizing": Sizing(tokenizer, 24)}
    return lambda document: list(function(document, **arguments))


@given(text=texts(), media_type=st.sampled_from([MARKDOWN, "text/plain"]))
def test_invariants_hold_on_any_text(cut, text, media_type):
    chunks = cut(Document(text, media_type=media_type))
    spans = [(chunk.start, chunk.end) for chunk in chunks]
    for chunk in chunks:
        start, end = chunk.context or (chunk.start, chunk.end)
        assert 0 <= start <= chunk.start < chunk.end <= end <= len(text)
        assert not all(is_white(character) for character in text[chunk.start : chunk.end])
    assert uncovered(text, spans) == ""
    assert [start for start, _ in spans] == sorted(start for start, _ in spans)
    # Of two neighbours neither lies in the other: both edges move on.
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(spans))


@pytest.mark.parametrize("text", ["", " ", "\n\n\n", "\xa0\u3000\x85"])
def test_blank_documents_give_no_chunk(cut, text):
    assert cut(Document(text)) == []


@pytest.mark.parametrize("text", ["x", "\u200b", "\x1c", "🚀", "#"])
def test_one_character_is_one_chunk(cut, text):
    assert [(chunk.start, chunk.end) for chunk in cut(Document(text))] == [(0, 1)]
