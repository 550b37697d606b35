"""Where fixed windows begin and end, whatever is counted."""

from __future__ import annotations

from collections.abc import Iterator

from chunk_bakeoff.text import Span


def check_window(size: int, overlap: int) -> None:
    """Refuse windows that would not move on.

    Raises:
        ValueError: `size` below 1, `overlap` outside `[0, size)`.
    """
    if size < 1:
        raise ValueError(f"size must be at least 1, not {size}")
    if not 0 <= overlap < size:
        raise ValueError(
            f"overlap must be at least 0 and smaller than size ({size}), not {overlap}"
        )


def windows(length: int, size: int, overlap: int = 0) -> Iterator[Span]:
    """Half-open windows over `length` units; the first that reaches the end is the last."""
    check_window(size, overlap)
    for start in range(0, length, size - overlap):
        yield Span(start, min(start + size, length))
        if start + size >= length:
            return
