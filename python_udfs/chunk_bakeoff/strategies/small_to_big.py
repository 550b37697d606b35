"""Small units are ranked, the section they stand in is delivered."""

from __future__ import annotations

from collections.abc import Iterator

from chunk_bakeoff.chunk import Chunk, Sizing
from chunk_bakeoff.documents import Document
from chunk_bakeoff.errors import UserError
from chunk_bakeoff.prefixes import fitting_path, path_line
from chunk_bakeoff.strategies import structure
from chunk_bakeoff.strategies.recursive import RecursiveSplitter


def cut(document: Document, *, sizing: Sizing, child_size: int = 64) -> Iterator[Chunk]:
    """Children of `structure` chunks: recursive splits of the body, the path in front of each.

    A child takes at most `child_size` tokens with its path line, special tokens counted. A path
    of more than half of them loses its outer headings in the child, not in what is delivered.

    Raises:
        UserError: `child_size` below 8.
    """
    if child_size < 8:
        raise UserError(f"child_size must be at least 8, not {child_size}")
    splitter = RecursiveSplitter(document.text, sizing.tokenizer)
    reached = 0
    for parent in structure.cut(document, sizing=sizing, path=True):
        # Parents may share characters that have no token, children do not.
        begin = max(parent.start, reached)
        reached = parent.end
        path = parent.prefix.removesuffix("\n")
        prefix = path_line(fitting_path(path, sizing.tokenizer, child_size // 2))
        size = child_size - sizing.tokenizer.count_one(prefix)
        for start, end in splitter.split(begin, parent.end, size=size):
            yield Chunk(
                start,
                end,
                heading_path=parent.heading_path,
                prefix=prefix,
                context=(parent.start, parent.end),
                context_prefix=parent.context_prefix,
            )
