"""Where fixed windows begin and end, whatever is counted."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

import numpy as np

from chunk_bakeoff.errors import UserError
from chunk_bakeoff.text import Span


def check_window(size: int, overlap: int) -> None:
    """Refuse windows that would not move on.

    Raises:
        UserError: `size` below 1, `overlap` outside `[0, size)`.
    """
    if size < 1:
        raise UserError(f"size must be at least 1, not {size}")
    if not 0 <= overlap < size:
        raise UserError(f"overlap must be at least 0 and smaller than size ({size}), not {overlap}")


def windows(length: int, size: int, overlap: int = 0) -> Iterator[Span]:
    """Half-open windows over `length` units; the first that reaches the end is the last."""
    check_window(size, overlap)
    for start in range(0, length, size - overlap):
        yield Span(start, min(start + size, length))
        if start + size >= length:
            return


def windows_of_units(
    lengths: Sequence[int] | np.ndarray, size: int, overlap: int = 0
) -> Iterator[Span]:
    """Like `windows`, over units of unequal length that are not cut.

    A window takes as many units as `size` holds, at least one. The next one begins where at most
    `overlap` is repeated and it still holds a unit more than the window before it.

    Args:
        lengths: of the units, each at least 1.
        size: most length of a window.
        overlap: most length that two neighbours share.

    Returns:
        Half-open ranges of units. Where every length is 1 they are those of `windows`.
    """
    check_window(size, overlap)
    # An array of the standard library: bisection reads it faster than one of NumPy.
    edges = array("q", [0])
    edges.frombytes(np.cumsum(lengths, dtype=np.int64).tobytes())
    first = 0
    while first < len(lengths):
        last = max(bisect_right(edges, edges[first] + size) - 1, first + 1)
        yield Span(first, last)
        if last == len(lengths):
            return
        begin = max(edges[last] - overlap, edges[last + 1] - size)
        first = min(bisect_left(edges, begin), last)
