"""Recursive splitting at ever finer separators, packed up to a number of tokens.

The algorithm and its boundaries are those of `RecursiveCharacterTextSplitter` of
langchain-text-splitters (separators kept in front of the piece, white space stripped). It works
on offsets of one tokenization of the document instead of tokenizing every piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from chunk_bakeoff.chunk import Chunk, Sizing
from chunk_bakeoff.documents import Document
from chunk_bakeoff.strategies.windows import check_window
from chunk_bakeoff.text import Span, strip_span
from chunk_bakeoff.tokens import Measure, Tokenizer

BLANK_LINE, LINE_BREAK, SPACE = (re.compile(re.escape(s)) for s in ("\n\n", "\n", " "))
# Behind the last one, single characters.
SEPARATORS = (BLANK_LINE, LINE_BREAK, SPACE)
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=>?\s*[A-Z])")
WITH_SENTENCES = (BLANK_LINE, SENTENCE_END, LINE_BREAK, SPACE)
# Tokens kept free below the model's limit when no size is given.
RESERVE = 8


def cut(
    document: Document,
    *,
    sizing: Sizing,
    size: int | None = None,
    overlap: int = 0,
    sentences: bool = False,
) -> Iterator[Chunk]:
    """Cut into pieces of at most `size` content tokens (default: the limit less `RESERVE`).

    With `sentences` there is one more separator between blank line and line break: the white
    space behind `.`, `!` or `?` and before a capital letter or `>` and a capital letter.

    Raises:
        ValueError: `size` below 1 or beyond what the model reads, `overlap` outside `[0, size)`.
    """
    size = sizing.limit - RESERVE if size is None else size
    check_window(size, overlap)
    sizing.check_size(size)
    text = document.text
    splitter = RecursiveSplitter(
        text, sizing.tokenizer, WITH_SENTENCES if sentences else SEPARATORS
    )
    for span in splitter.split(0, len(text), size=size, overlap=overlap):
        yield Chunk(*span)


class RecursiveSplitter:
    """Splits slices of one text, which is tokenized once.

    Args:
        text: the document.
        tokenizer: counts the tokens.
        separators: from the coarsest to the finest. With a tokenizer that tokenizes words alone
            each must match at white space only.
    """

    def __init__(
        self,
        text: str,
        tokenizer: Tokenizer,
        separators: Sequence[re.Pattern[str]] = SEPARATORS,
    ) -> None:
        self._text = text
        self._measure: Measure = tokenizer.measure(text)
        self._count_character = tokenizer.count_character
        self._separators = separators

    @property
    def text(self) -> str:
        """The document that is split."""
        return self._text

    def tokens(self, start: int, end: int) -> int:
        """Content tokens of a slice; see `Tokenizer.measure` for where it may begin and end."""
        return self._measure(start, end)

    def split(self, start: int, end: int, *, size: int, overlap: int = 0) -> Iterator[Span]:
        """Stripped spans of `text[start:end]`, each of at most `size` content tokens.

        A single character of more tokens than `size` stays whole.
        """
        return self._split(Span(start, end), 0, size, overlap)

    def _split(self, whole: Span, level: int, size: int, overlap: int) -> Iterator[Span]:
        pieces, level = self._pieces(whole, level)
        characters = level > len(self._separators)
        held: list[tuple[Span, int]] = []
        for piece in pieces:
            length = (
                self._count_character(self._text[piece.start])
                if characters
                else (self._measure(*piece))
            )
            if length < size:
                held.append((piece, length))
                continue
            yield from self._merge(held, size, overlap)
            held = []
            if characters:
                yield piece
            else:
                yield from self._split(piece, level, size, overlap)
        yield from self._merge(held, size, overlap)

    def _pieces(self, whole: Span, level: int) -> tuple[list[Span], int]:
        """Pieces at the first separator from `level` on that occurs, and the level after it."""
        for index in range(level, len(self._separators)):
            starts = [m.start() for m in self._separators[index].finditer(self._text, *whole)]
            if starts:
                edges = [whole.start, *starts, whole.end]
                pieces = [Span(a, b) for a, b in pairwise(edges) if b > a]
                return pieces, index + 1
        characters = [Span(i, i + 1) for i in range(*whole)]
        return characters, len(self._separators) + 1

    def _merge(self, pieces: Sequence[tuple[Span, int]], size: int, overlap: int) -> Iterator[Span]:
        """Neighbouring pieces joined up to `size`; the next chunk begins within `overlap`."""
        first = 0
        total = 0
        for index, (_, length) in enumerate(pieces):
            if total + length > size and first < index:
                yield from self._joined(pieces[first][0].start, pieces[index - 1][0].end)
                while first < index and (total > overlap or (total + length > size and total > 0)):
                    total -= pieces[first][1]
                    first += 1
            total += length
        if first < len(pieces):
            yield from self._joined(pieces[first][0].start, pieces[-1][0].end)

    def _joined(self, start: int, end: int) -> Iterator[Span]:
        span = strip_span(self._text, start, end)
        if span.end > span.start:
            yield span
