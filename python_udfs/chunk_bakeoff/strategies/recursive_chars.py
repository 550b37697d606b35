"""Paragraphs, and sentences of long paragraphs, packed up to a number of characters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chunk_bakeoff.chunk import Chunk
from chunk_bakeoff.documents import Document
from chunk_bakeoff.errors import UserError
from chunk_bakeoff.text import WHITE_SPACE_CLASS, Span, strip_span

_BLANK_LINE = re.compile(rf"\r?\n(?:{WHITE_SPACE_CLASS}*?\r?\n)+")
_SENTENCE_END = re.compile(rf"(?<=[.!?]){WHITE_SPACE_CLASS}+")


def cut(document: Document, *, size: int) -> Iterator[Chunk]:
    """Pack units in order; a chunk runs from its first unit's start to its last unit's end.

    Units are paragraphs (split at blank lines); a paragraph longer than `size` is split behind
    `.`, `!` or `?` and white space. A chunk is closed when the sum of (length + 1) over the units
    it holds plus the next unit's length would pass `size`. A sentence longer than `size` stays
    whole.

    Raises:
        UserError: `size` below 1.
    """
    if size < 1:
        raise UserError(f"size must be at least 1, not {size}")
    held: list[Span] = []
    total = 0
    for unit in _units(document.text, size):
        length = unit.end - unit.start
        if held and total + length > size:
            yield Chunk(held[0].start, held[-1].end)
            held, total = [], 0
        held.append(unit)
        total += length + 1
    if held:
        yield Chunk(held[0].start, held[-1].end)


def _units(text: str, size: int) -> Iterator[Span]:
    for paragraph in _between(_BLANK_LINE, text, 0, len(text)):
        if paragraph.end - paragraph.start <= size:
            yield paragraph
        else:
            yield from _between(_SENTENCE_END, text, *paragraph)


def _between(separator: re.Pattern[str], text: str, start: int, end: int) -> Iterator[Span]:
    """Stripped, non-empty spans between the matches of `separator` in `text[start:end]`."""
    position = start
    for match in separator.finditer(text, start, end):
        span = strip_span(text, position, match.start())
        if span.end > span.start:
            yield span
        position = match.end()
    span = strip_span(text, position, end)
    if span.end > span.start:
        yield span
