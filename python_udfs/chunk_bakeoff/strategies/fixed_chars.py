"""Windows of a fixed number of characters."""

from __future__ import annotations

from collections.abc import Iterator

from chunk_bakeoff.chunk import Chunk
from chunk_bakeoff.documents import Document
from chunk_bakeoff.strategies.windows import check_window, windows
from chunk_bakeoff.text import is_blank


def cut(document: Document, *, size: int, overlap: int = 0) -> Iterator[Chunk]:
    """Cut every `size - overlap` characters a window of `size` characters.

    Windows of nothing but white space are left out.

    Raises:
        ValueError: `size` below 1, `overlap` outside `[0, size)`.
    """
    check_window(size, overlap)
    for start, end in windows(len(document.text), size, overlap):
        if not is_blank(document.text[start:end]):
            yield Chunk(start, end)
