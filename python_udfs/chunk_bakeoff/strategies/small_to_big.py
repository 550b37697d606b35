"""Small units are ranked, the section they stand in is delivered."""

from __future__ import annotations

from collections.abc import Iterator

from chunk_bakeoff.chunk import Chunk, Sizing
from chunk_bakeoff.documents import Document
from chunk_bakeoff.strategies import structure
from chunk_bakeoff.strategies.recursive import RecursiveSplitter


def cut(document: Document, *, sizing: Sizing, child_size: int = 64) -> Iterator[Chunk]:
    """Children of `structure` chunks: recursive splits of the body, the path in front of each.

    A child takes at most `child_size` tokens with its path line, special tokens counted.

    Raises:
        ValueError: `child_size` below 8.
    """
    if child_size < 8:
        raise ValueError(f"child_size must be at least 8, not {child_size}")
    splitter = RecursiveSplitter(document.text, sizing.tokenizer)
    for parent in structure.cut(document, sizing=sizing, path=True):
        size = child_size - sizing.tokenizer.count_one(parent.prefix)
        for start, end in splitter.split(parent.start, parent.end, size=max(size, 1)):
            yield Chunk(
                start,
                end,
                heading_path=parent.heading_path,
                prefix=parent.prefix,
                context=(parent.start, parent.end),
                context_prefix=parent.context_prefix,
            )
