"""Windows of a fixed number of tokens: the baseline every other strategy has to beat."""

from __future__ import annotations

from collections.abc import Iterator

from chunk_bakeoff.chunk import Chunk, Sizing
from chunk_bakeoff.documents import Document
from chunk_bakeoff.strategies.windows import check_window, windows_of_units


def cut(document: Document, *, sizing: Sizing, size: int, overlap: int = 0) -> Iterator[Chunk]:
    """Cut every `size - overlap` content tokens a window of `size` tokens.

    Windows are slices between the tokenizer's character offsets; special tokens are not counted.
    The first window that reaches the end of the document is the last. A character of several
    tokens is never cut: there a window may hold fewer tokens.

    Raises:
        ValueError: `size` below 1 or beyond what the model reads, `overlap` outside `[0, size)`.
    """
    check_window(size, overlap)
    sizing.check_size(size)
    units = sizing.tokenizer.covering_units(document.text)
    for first, last in windows_of_units(units.tokens, size, overlap):
        yield Chunk(int(units.starts[first]), int(units.ends[last - 1]))
