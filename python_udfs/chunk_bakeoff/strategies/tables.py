"""Tables cut between rows, each group with what it needs to be understood."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from chunk_bakeoff.chunk import Chunk
from chunk_bakeoff.documents import Document
from chunk_bakeoff.elements import PARAGRAPH, TABLE_HEADER, TABLE_ROW, Element
from chunk_bakeoff.sentences import sentences
from chunk_bakeoff.strategies.recursive import RecursiveSplitter
from chunk_bakeoff.tokens import Tokenizer

Counter = Callable[[str], int]

# GFM: a pipe belongs to its cell where a backslash stands in front of it, in code as well.
_PIPE = re.compile(r"(?<!\\)\|")


def lead_sentence(document: Document, before: Sequence[Element], group: Sequence[Element]) -> str:
    """The last sentence of the paragraph right in front of a table; empty where there is none."""
    if not before or group[0].kind != TABLE_HEADER:
        return ""
    last = before[-1]
    if last.kind != PARAGRAPH or last.section != group[0].section:
        return ""
    *_, span = sentences(document.text, last.start, last.end, document.language)
    return " ".join(document.text[span.start : span.end].split())


def cells(row: str) -> list[str]:
    """The cells of a table row, escaped pipes written out."""
    parts = [part.strip() for part in _PIPE.split(row.strip())]
    if parts and not parts[0]:
        parts = parts[1:]
    if parts and not parts[-1]:
        parts = parts[:-1]
    return [part.replace("\\|", "|") for part in parts]


def row_sentence(columns: Sequence[str], row: Sequence[str]) -> str:
    """`column: value, column: value.`; empty cells are left out, cells without a column are not."""
    names = [*columns, *[""] * (len(row) - len(columns))]
    said = [
        f"{name}: {value}" if name else value
        for name, value in zip(names, row, strict=False)
        if value
    ]
    return f"{', '.join(said)}." if said else ""


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a document.

    Attributes:
        text: the document.
        group: headings right above the table, its header and its rows.
        lead: the sentence in front of it.
    """

    text: str
    group: Sequence[Element]
    lead: str

    def chunks(
        self,
        splitter: RecursiveSplitter,
        tokenizer: Tokenizer,
        size: int,
        *,
        as_sentences: bool = False,
    ) -> Iterator[Chunk]:
        """The table as one chunk where it fits into `size` content tokens, else row by row."""
        count = _counter(tokenizer)
        opening = [element for element in self.group if element.kind != TABLE_ROW]
        rows = [element for element in self.group if element.kind == TABLE_ROW]
        prefixes = self._prefixes(count, size)
        path = self.group[-1].path or None
        # The first group holds the header in its body, so that its prefix is the lead alone.
        start, prefix = opening[0].start, prefixes[0]
        first = 0
        while first < len(rows) or start is not None:
            begin = rows[first].start if start is None else start
            last = first
            while last < len(rows) and self._fits(
                begin, rows[first : last + 1], prefix, splitter, count, size, as_sentences
            ):
                last += 1
            if last == first and (start is None or first < len(rows)):
                # Not even one row fits: the header alone, or the row in pieces.
                end = opening[-1].end if start is not None else rows[first].end
                room = max(size - count(prefix), 1)
                for span in splitter.split(begin, end, size=room):
                    yield Chunk(*span, heading_path=path, prefix=prefix)
                first += start is None
            else:
                end = rows[last - 1].end if last else opening[-1].end
                said = self._said(rows[first:last], prefix) if as_sentences and last else None
                if last or splitter.tokens(begin, end) + count(prefix) <= size:
                    yield Chunk(begin, end, heading_path=path, prefix=prefix, embed_text=said)
                else:
                    for span in splitter.split(begin, end, size=max(size - count(prefix), 1)):
                        yield Chunk(*span, heading_path=path, prefix=prefix)
                first = last
            start, prefix = None, prefixes[1]

    def _prefixes(self, count: Counter, size: int) -> tuple[str, str]:
        """In front of the first group and of the others: at most half of `size` tokens."""
        lead = f"{self.lead}\n" if self.lead else ""
        header = f"{self.text[self._header.start : self._header.end]}\n"
        first = lead if count(lead) <= size // 2 else ""
        for later in (lead + header, header, ""):
            if count(later) <= size // 2:
                return first, later
        return first, ""

    @property
    def _header(self) -> Element:
        return next(element for element in self.group if element.kind == TABLE_HEADER)

    def _fits(
        self,
        begin: int,
        rows: Sequence[Element],
        prefix: str,
        splitter: RecursiveSplitter,
        count: Counter,
        size: int,
        as_sentences: bool,
    ) -> bool:
        if as_sentences and count(self._said(rows, prefix)) > size:
            return False
        return splitter.tokens(begin, rows[-1].end) + count(prefix) <= size

    def _said(self, rows: Sequence[Element], prefix: str) -> str:
        """What is embedded instead of the rows: the lead and one sentence for each row."""
        header = self.text[self._header.start : self._header.end].splitlines()[0]
        columns = cells(header)
        said = [row_sentence(columns, cells(self.text[row.start : row.end])) for row in rows]
        lead = [self.lead] if self.lead and prefix.startswith(self.lead) else []
        return "\n".join([*lead, *filter(None, said)]) or self.text[rows[0].start : rows[-1].end]


def _counter(tokenizer: Tokenizer) -> Counter:
    return lambda text: tokenizer.count_one(text) - tokenizer.special_tokens
