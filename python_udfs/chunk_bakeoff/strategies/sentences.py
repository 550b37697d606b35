"""Whole sentences: packed up to a number of tokens, or one at a time with their neighbours."""

from __future__ import annotations

from collections.abc import Iterator

from chunk_bakeoff.chunk import Chunk, Sizing
from chunk_bakeoff.documents import Document
from chunk_bakeoff.elements import HTML, PARAGRAPH, QUOTE, document_elements
from chunk_bakeoff.errors import UserError
from chunk_bakeoff.sentences import sentences
from chunk_bakeoff.strategies.packing import pack
from chunk_bakeoff.strategies.recursive import RESERVE, RecursiveSplitter
from chunk_bakeoff.text import Span


def cut(
    document: Document, *, sizing: Sizing, size: int | None = None, overlap: int = 0
) -> Iterator[Chunk]:
    """Pack whole sentences up to `size` content tokens (default: the limit less `RESERVE`).

    Whole sentences of at most `overlap` tokens are repeated at the start of the next chunk. A
    sentence longer than `size` is split recursively.

    Raises:
        UserError: `size` below 1, `overlap` outside `[0, size)`.
    """
    size = sizing.limit - RESERVE if size is None else size
    splitter = RecursiveSplitter(document.text, sizing.tokenizer)
    for span in pack(document_sentences(document), splitter, size=size, overlap=overlap):
        yield Chunk(*span)


def cut_windows(document: Document, *, sizing: Sizing, neighbours: int = 3) -> Iterator[Chunk]:
    """Rank single sentences, deliver each with `neighbours` sentences on both sides.

    The idea is that of LlamaIndex' SentenceWindowNodeParser, whose default is 3. A sentence
    longer than the limit less `RESERVE` is split recursively, its parts count as sentences.

    Raises:
        UserError: `neighbours` below 0.
    """
    if neighbours < 0:
        raise UserError(f"neighbours must be at least 0, not {neighbours}")
    size = sizing.limit - RESERVE
    splitter = RecursiveSplitter(document.text, sizing.tokenizer)
    units = [
        span
        for sentence in document_sentences(document)
        for span in splitter.split(*sentence, size=size)
    ]
    for index, (start, end) in enumerate(units):
        first = units[max(index - neighbours, 0)]
        last = units[min(index + neighbours, len(units) - 1)]
        yield Chunk(start, end, context=(first.start, last.end))


def document_sentences(document: Document) -> list[Span]:
    """Sentences of the prose; headings, list items, table rows and code blocks stay whole."""
    found: list[Span] = []
    for element in document_elements(document):
        if element.kind in (PARAGRAPH, QUOTE, HTML):
            found.extend(sentences(document.text, element.start, element.end, document.language))
        else:
            found.append(Span(element.start, element.end))
    return found
