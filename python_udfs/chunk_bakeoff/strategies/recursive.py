"""Recursive splitting at ever finer separators, packed up to a number of tokens.

The algorithm and its boundaries are those of `RecursiveCharacterTextSplitter` of
langchain-text-splitters (separators kept in front of the piece, white space stripped). It works
on offsets of one tokenization of the document instead of tokenizing every piece.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from chunk_bakeoff.chunk import Chunk, Sizing
from chunk_bakeoff.documents import Document
from chunk_bakeoff.strategies.windows import check_window
from chunk_bakeoff.text import Span, strip_span
from chunk_bakeoff.tokens import Counter, Tokenizer

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
        self._count_between: Counter = tokenizer.counter(text)
        self._count_character = tokenizer.count_character
        self._separators = separators

    @property
    def text(self) -> str:
        """The document that is split."""
        return self._text

    def tokens(self, start: int, end: int) -> int:
        """Content tokens of a slice; see `Tokenizer.counter` for where it may begin and end."""
        (count,) = self._count_between((start, end))
        return count

    def split(self, start: int, end: int, *, size: int, overlap: int = 0) -> Iterator[Span]:
        """Stripped spans of `text[start:end]`, each of at most `size` content tokens.

        A single character of more tokens than `size` stays whole.
        """
        return self._split(Span(start, end), 0, size, overlap)

    def _split(self, whole: Span, level: int, size: int, overlap: int) -> Iterator[Span]:
        edges, lengths, level = self._pieces(whole, level)
        first = 0
        for long in [index for index, length in enumerate(lengths) if length >= size]:
            yield from self._merge(edges[first : long + 1], lengths[first:long], size, overlap)
            piece = Span(edges[long], edges[long + 1])
            if level > len(self._separators):
                yield piece
            else:
                yield from self._split(piece, level, size, overlap)
            first = long + 1
        yield from self._merge(edges[first:], lengths[first:], size, overlap)

    def _pieces(self, whole: Span, level: int) -> tuple[Sequence[int], list[int], int]:
        """Pieces at the first separator from `level` on that occurs.

        Returns:
            Where each piece begins and the last one ends, the tokens of each, and the next level.
        """
        for index in range(level, len(self._separators)):
            starts = [m.start() for m in self._separators[index].finditer(self._text, *whole)]
            if starts:
                before = [whole.start] if starts[0] > whole.start else []
                edges = [*before, *starts, whole.end]
                return edges, self._count_between(edges), index + 1
        part = self._text[whole.start : whole.end]
        counts = {character: self._count_character(character) for character in set(part)}
        lengths = [counts[character] for character in part]
        return range(whole.start, whole.end + 1), lengths, len(self._separators) + 1

    def _merge(
        self, edges: Sequence[int], lengths: Sequence[int], size: int, overlap: int
    ) -> Iterator[Span]:
        """Neighbouring pieces joined up to `size`; the next chunk begins within `overlap`.

        Args:
            edges: where each piece begins and the last one ends.
            lengths: of the pieces, each below `size`.
            size: most tokens of what is joined.
            overlap: most tokens repeated.
        """
        total = list(accumulate(lengths, initial=0))
        first = 0
        # The first piece that does not fit any more.
        index = bisect_right(total, size) - 1
        while index < len(lengths):
            yield from self._joined(edges[first], edges[index])
            # Pieces are dropped until the rest may be repeated and leaves room for the new one.
            least = min(total[index + 1] - size, total[index])
            first = bisect_left(total, max(total[index] - overlap, least), first, index)
            index = bisect_right(total, total[first] + size, index + 2) - 1
        if lengths:
            yield from self._joined(edges[first], edges[len(lengths)])

    def _joined(self, start: int, end: int) -> Iterator[Span]:
        span = strip_span(self._text, start, end)
        if span.end > span.start:
            yield span
