"""Whole sections down to a heading level, and small windows inside them."""

from __future__ import annotations

from collections.abc import Iterator

from chunk_bakeoff.chunk import Chunk
from chunk_bakeoff.documents import Document
from chunk_bakeoff.errors import UserError
from chunk_bakeoff.strategies.structure import document_sections
from chunk_bakeoff.strategies.windows import check_window, windows
from chunk_bakeoff.text import is_blank, strip_span


def cut(document: Document, *, deepest: int = 2) -> Iterator[Chunk]:
    """One chunk per section of level 1 to `deepest`, never split.

    Long sections pass the model's limit: a variant has to declare `over_limit`.

    Raises:
        UserError: `deepest` outside 1 to 6.
    """
    if not 1 <= deepest <= 6:
        raise UserError(f"deepest must be a heading level from 1 to 6, not {deepest}")
    for section in document_sections(document, deepest=deepest):
        start, end = strip_span(document.text, section.start, section.end)
        if end > start:
            yield Chunk(start, end, heading_path=section.path or None)


def cut_children(
    document: Document, *, child_size: int, child_overlap: int = 0, deepest: int = 2
) -> Iterator[Chunk]:
    """Windows of `child_size` characters inside each whole section, which is delivered.

    Raises:
        UserError: as for `cut`, or windows that would not move on.
    """
    check_window(child_size, child_overlap)
    for parent in cut(document, deepest=deepest):
        for first, last in windows(parent.end - parent.start, child_size, child_overlap):
            start, end = parent.start + first, parent.start + last
            if not is_blank(document.text[start:end]):
                yield Chunk(
                    start,
                    end,
                    heading_path=parent.heading_path,
                    context=(parent.start, parent.end),
                )
