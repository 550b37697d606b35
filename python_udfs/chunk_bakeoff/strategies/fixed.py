"""Windows of a fixed number of tokens: the baseline every other strategy has to beat."""

from __future__ import annotations

from collections.abc import Iterator

from chunk_bakeoff.chunk import Chunk, Sizing
from chunk_bakeoff.documents import Document
from chunk_bakeoff.strategies.windows import check_window, windows


def cut(document: Document, *, sizing: Sizing, size: int, overlap: int = 0) -> Iterator[Chunk]:
    """Cut every `size - overlap` content tokens a window of `size` tokens.

    Windows are slices between the tokenizer's character offsets; special tokens are not counted.
    The first window that reaches the end of the document is the last.

    Raises:
        ValueError: `size` below 1, `overlap` outside `[0, size)`.
    """
    check_window(size, overlap)
    offsets = sizing.tokenizer.covering_offsets(document.text)
    for first, last in windows(len(offsets), size, overlap):
        yield Chunk(offsets[first].start, offsets[last - 1].end)
