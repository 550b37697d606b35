"""Cuts where the meaning changes: at a drop in similarity, or at the best segmentation."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from chunk_bakeoff.chunk import Chunk, Sizing
from chunk_bakeoff.documents import Document
from chunk_bakeoff.errors import UserError
from chunk_bakeoff.strategies.recursive import RESERVE as SPLIT_RESERVE
from chunk_bakeoff.strategies.recursive import RecursiveSplitter
from chunk_bakeoff.strategies.structure import RESERVE
from chunk_bakeoff.text import Span
from chunk_bakeoff.units import UnitVectors


def cut(document: Document, *, sizing: Sizing, percentile: float = 95.0) -> Iterator[Chunk]:
    """Group neighbouring units; cut where the distance to the next unit is unusually large.

    A group ends where the cosine distance to the next unit is above the document's percentile
    (linear interpolation), or where the next unit would take it past the limit less 6, special
    tokens counted. A single unit above that is split recursively. The idea is Kamradt's "5
    levels of text splitting" (2023); the budget is an addition.

    Raises:
        UserError: `percentile` outside 0 to 100, or the document's units have no vectors.
    """
    if not 0 <= percentile <= 100:
        raise UserError(f"percentile must be between 0 and 100, not {percentile}")
    units = _units(document)
    spans = units.spans()
    if not spans:
        return
    splitter = RecursiveSplitter(document.text, sizing.tokenizer)
    size = sizing.limit - SPLIT_RESERVE
    budget = sizing.limit - RESERVE - sizing.tokenizer.special_tokens
    distances = neighbour_distances(units.vectors)
    far = distances > np.percentile(distances, percentile) if len(distances) else distances > 0
    begins = [0]
    for index in range(1, len(spans)):
        too_long = splitter.tokens(spans[begins[-1]].start, spans[index].end) > budget
        if far[index - 1] or too_long:
            begins.append(index)
    yield from _groups(document, spans, begins, splitter, size)


def cut_clusters(document: Document, *, sizing: Sizing, size: int | None = None) -> Iterator[Chunk]:
    """The segmentation with the most similarity inside its chunks, by dynamic programming.

    The gain of a chunk is the sum over all pairs of its units of their cosine less the mean
    cosine of all pairs that could share a chunk, so that unlike units lower it. No chunk passes
    `size` content tokens (default: the limit less 8). A single unit above that is split
    recursively. After the ClusterSemanticChunker of Chroma's "Evaluating chunking strategies"
    (Smith and Troynikov 2024), with sentences in place of pieces of 50 tokens.

    Raises:
        UserError: `size` below 1, or the document's units have no vectors.
    """
    size = sizing.limit - SPLIT_RESERVE if size is None else size
    if size < 1:
        raise UserError(f"size must be at least 1, not {size}")
    units = _units(document)
    spans = units.spans()
    if not spans:
        return
    splitter = RecursiveSplitter(document.text, sizing.tokenizer)
    longest = longest_groups(spans, splitter, size)
    begins = [segment.start for segment in best_segments(units.vectors, longest)]
    yield from _groups(document, spans, begins, splitter, size)


def neighbour_distances(vectors: np.ndarray) -> np.ndarray:
    """Cosine distance of each unit to the next, shape `(n - 1,)`."""
    return 1 - np.einsum("ij,ij->i", vectors[:-1], vectors[1:])


def longest_groups(spans: Sequence[Span], splitter: RecursiveSplitter, size: int) -> np.ndarray:
    """How many units a group that ends with each unit may hold, at least 1; shape `(n,)`."""
    longest = np.ones(len(spans), dtype=np.int64)
    first = 0
    for last, span in enumerate(spans):
        while first < last and splitter.tokens(spans[first].start, span.end) > size:
            first += 1
        longest[last] = last - first + 1
    return longest


def best_segments(vectors: np.ndarray, longest: np.ndarray) -> list[Span]:
    """The segmentation of `n` units with the largest total gain, as half-open ranges.

    Time grows with `n` times the longest group times the dimensions, memory with `n` times the
    longest group. Of two equal
    totals the one with the longer last chunk is taken.

    Args:
        vectors: of length 1, shape `(n, dimensions)`.
        longest: how many units a group that ends with each unit may hold, shape `(n,)`.
    """
    number, width = len(vectors), int(longest.max())
    # similarity[i, d]: cosine of unit i and the unit d before it.
    similarity = np.zeros((number, width))
    for back in range(1, width):
        similarity[back:, back] = np.einsum("ij,ij->i", vectors[back:], vectors[:-back])
    reachable = np.arange(width)[None, :] < longest[:, None]
    pairs = reachable[:, 1:]
    mean = similarity[:, 1:][pairs].mean() if pairs.any() else 0.0
    # joined[i, d]: what unit i adds to a chunk that begins d units before it.
    joined = np.cumsum(np.where(np.arange(width) > 0, similarity - mean, 0.0), axis=1)
    best = np.zeros(number + 1)
    begin = np.zeros(number, dtype=np.int64)
    # gains[d]: gain of the chunk of the d + 1 units that end with the present one.
    gains = np.zeros(width)
    for last in range(number):
        gains = np.concatenate(([0.0], gains[:-1])) + joined[last]
        count = int(min(longest[last], last + 1))
        totals = best[last - count + 1 : last + 1][::-1] + gains[:count]
        back = count - 1 - int(np.argmax(totals[::-1]))
        best[last + 1] = totals[back]
        begin[last] = last - back
    segments = []
    end = number
    while end > 0:
        segments.append(Span(int(begin[end - 1]), end))
        end = int(begin[end - 1])
    return segments[::-1]


def _groups(
    document: Document,
    spans: Sequence[Span],
    begins: Sequence[int],
    splitter: RecursiveSplitter,
    size: int,
) -> Iterator[Chunk]:
    """Each group from its first unit to the next group's, so that nothing between is lost."""
    starts = [0, *(spans[index].start for index in begins[1:]), len(document.text)]
    for start, end in itertools.pairwise(starts):
        for span in splitter.split(start, end, size=size):
            yield Chunk(*span)


def _units(document: Document) -> UnitVectors:
    if document.units is not None:
        return document.units
    if document.text:
        raise UserError(
            f"document {document.doc_id!r}: its units have no vectors; read the documents from "
            "int_documents_with_units"
        )
    nothing = np.zeros(0, dtype=np.int64)
    return UnitVectors(nothing, nothing, np.zeros((0, 1), dtype=np.float32))
