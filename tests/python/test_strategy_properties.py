"""What every strategy owes every text, tried on texts that are hard to cut."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from random_texts import is_white, texts, uncovered

from chunk_bakeoff.chunk import Sizing
from chunk_bakeoff.documents import MARKDOWN, Document
from chunk_bakeoff.strategies import (
    code,
    elements,
    fixed,
    fixed_chars,
    hierarchies,
    libraries,
    recursive,
    recursive_chars,
    semantic,
    sentences,
    small_to_big,
    structure,
    transcripts,
    whole_sections,
)
from chunk_bakeoff.units import UnitVectors, units

# A model that reads little, so that short texts are split.
LIMIT = 24
# Cut function, settings, and the most tokens that a unit may hold, special ones included.
CUTS = {
    "fixed": (fixed.cut, {"size": 5}, LIMIT),
    "fixed, overlapping": (fixed.cut, {"size": 7, "overlap": 5}, LIMIT),
    "fixed, one token": (fixed.cut, {"size": 1}, LIMIT),
    "fixed_chars": (fixed_chars.cut, {"size": 6}, None),
    "fixed_chars, overlapping": (fixed_chars.cut, {"size": 9, "overlap": 8}, None),
    "recursive": (recursive.cut, {"size": 5}, 5 + 2),
    "recursive, overlapping": (recursive.cut, {"size": 7, "overlap": 4}, 7 + 2),
    "recursive_chars": (recursive_chars.cut, {"size": 20}, None),
    "structure": (structure.cut, {"path": True}, LIMIT),
    "structure, no path": (structure.cut, {"path": False}, LIMIT),
    "small_to_big": (small_to_big.cut, {"child_size": 12}, 12),
    "whole_sections": (whole_sections.cut, {"deepest": 2}, None),
    "whole_sections, children": (
        whole_sections.cut_children,
        {"child_size": 10, "child_overlap": 3},
        None,
    ),
    "recursive, sentences": (recursive.cut, {"size": 5, "sentences": True}, 5 + 2),
    "sentences": (sentences.cut, {"size": 9}, 9 + 2),
    "sentences, overlapping": (sentences.cut, {"size": 9, "overlap": 6}, 9 + 2),
    "sentence_window": (sentences.cut_windows, {"neighbours": 1}, LIMIT),
    "semantic": (semantic.cut, {"percentile": 50}, LIMIT),
    "cluster_semantic": (semantic.cut_clusters, {"size": 12}, 12 + 2),
    "elements": (elements.cut, {"size": 9, "overlap": 3}, 9 + 2),
    "elements_naive": (elements.cut_naive, {"size": 9, "overlap": 3}, LIMIT),
    "tables": (elements.cut_tables, {"size": 12}, 12 + 2),
    "tables, as sentences": (elements.cut_tables, {"size": 12, "as_sentences": True}, 12 + 2),
    "transcripts": (transcripts.cut, {"size": 9}, 9 + 2),
    "code": (code.cut, {"size": 12}, 12 + 2),
    "parent_child": (hierarchies.cut, {"child_size": 10, "cap": 14}, 10),
    "parent_child, no cap": (hierarchies.cut, {"child_size": 10}, 10),
    "semantic_text_splitter": (libraries.cut_semantic_text_splitter, {"size": 9}, 9 + 2),
}


def unit_vectors(document):
    """Vectors that depend on nothing but the number of the unit."""
    spans = units(document)
    angles = np.arange(len(spans)) ** 2.0
    return UnitVectors(
        np.array([span.start for span in spans], dtype=np.int64),
        np.array([span.end for span in spans], dtype=np.int64),
        np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32),
    )


@pytest.fixture(scope="module", params=CUTS)
def cut(request, tokenizer):
    """A strategy that gives its chunks, none of them longer in tokens than it may be."""
    function, arguments, limit = CUTS[request.param]
    if limit is None:
        return lambda document: list(function(document, **arguments))

    def run(document):
        document = replace(document, units=unit_vectors(document))
        chunks = list(function(document, sizing=Sizing(tokenizer, LIMIT), **arguments))
        for chunk in chunks:
            text = chunk.embed_text or chunk.prefix + document.text[chunk.start : chunk.end]
            assert tokenizer.count_one(text) <= limit
        return chunks

    return run


# There are many strategies: half as many examples for each.
@settings(max_examples=settings.default.max_examples // 2)
@given(text=texts(), media_type=st.sampled_from([MARKDOWN, "text/plain"]))
# A character without a token that two neighbouring sections share.
@example("| a | b |\n|---|---|\n| 1 | 2 |\n0athethethe000:0:\n\u200b\nathe", MARKDOWN)
def test_invariants_hold_on_any_text(cut, text, media_type):
    chunks = cut(Document(text, media_type=media_type))
    for chunk in chunks:
        start, end = chunk.context or (chunk.start, chunk.end)
        assert 0 <= start <= chunk.start < chunk.end <= end <= len(text)
        assert not all(is_white(character) for character in text[chunk.start : chunk.end])
    spans = [(chunk.start, chunk.end) for chunk in chunks]
    assert uncovered(text, spans) == ""
    # Starts never decrease, and of two neighbours neither lies in the other.
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(spans))


@pytest.mark.parametrize("text", ["", " ", "\n\n\n", "\xa0\u3000\x85"])
def test_blank_documents_give_no_chunk(cut, text):
    assert cut(Document(text)) == []


@pytest.mark.parametrize("text", ["x", "\u200b", "\x1c", "🚀", "#"])
def test_one_character_is_one_chunk(cut, text):
    assert [(chunk.start, chunk.end) for chunk in cut(Document(text))] == [(0, 1)]
