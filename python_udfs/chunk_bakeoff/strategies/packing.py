"""Neighbouring units packed into chunks under a budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chunk_bakeoff.strategies.recursive import RecursiveSplitter
from chunk_bakeoff.strategies.windows import check_window
from chunk_bakeoff.text import Span


def pack(
    units: Sequence[Span],
    splitter: RecursiveSplitter,
    *,
    size: int,
    overlap: int = 0,
    unit_overlap: int = 0,
) -> Iterator[Span]:
    """Spans of whole neighbouring units, each of at most `size` content tokens.

    The next chunk begins with as many of the last units as fit into `overlap` and leave room for
    a new one. A unit longer than `size` alone is split recursively.

    Args:
        units: spans in order.
        splitter: over the text the units stand in.
        size: most content tokens of a chunk.
        overlap: most content tokens repeated.
        unit_overlap: the same inside a unit that has to be split.

    Raises:
        UserError: `size` below 1, `overlap` outside `[0, size)`.
    """
    check_window(size, overlap)
    first = 0
    for index, unit in enumerate(units):
        if splitter.tokens(*unit) > size:
            if first < index:
                yield Span(units[first].start, units[index - 1].end)
            yield from splitter.split(*unit, size=size, overlap=unit_overlap)
            first = index + 1
        elif first < index and splitter.tokens(units[first].start, unit.end) > size:
            yield Span(units[first].start, units[index - 1].end)
            first = _repeated(units, splitter, first, index, size, overlap)
    if first < len(units):
        yield Span(units[first].start, units[-1].end)


def _repeated(
    units: Sequence[Span],
    splitter: RecursiveSplitter,
    first: int,
    index: int,
    size: int,
    overlap: int,
) -> int:
    """Number of the unit that the chunk with unit `index` begins with."""
    end = units[index - 1].end
    for begin in range(first + 1, index):
        if (
            splitter.tokens(units[begin].start, end) <= overlap
            and splitter.tokens(units[begin].start, units[index].end) <= size
        ):
            return begin
    return index
