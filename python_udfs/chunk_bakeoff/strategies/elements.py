"""Chunks made of the document's own elements, which never mix sections or kinds of content."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from chunk_bakeoff.chunk import Chunk, Sizing
from chunk_bakeoff.documents import Document
from chunk_bakeoff.elements import HEADING, Element, access_spans, document_elements
from chunk_bakeoff.strategies import fixed
from chunk_bakeoff.strategies.packing import pack
from chunk_bakeoff.strategies.recursive import RESERVE, RecursiveSplitter
from chunk_bakeoff.strategies.tables import Table, lead_sentence
from chunk_bakeoff.strategies.windows import check_window
from chunk_bakeoff.text import Span


def cut(
    document: Document, *, sizing: Sizing, size: int | None = None, overlap: int = 32
) -> Iterator[Chunk]:
    """Merge neighbouring elements of one section and one family up to `size` content tokens.

    Families are prose, list, table and code; a heading goes with what follows it. An element
    longer than `size` gets windows of its own that share up to `overlap` tokens. Row groups of a
    table carry the sentence in front of the table and its header, for the embedding only.

    Args:
        document: the document; everything in it has one source, revision and access list.
        sizing: counts the tokens.
        size: default: the limit less `RESERVE`.
        overlap: of the windows of one long element.

    Raises:
        UserError: `size` below 1 or above what the model reads, `overlap` outside `[0, size)`.
    """
    yield from cut_groups(document, sizing=sizing, size=size, overlap=overlap, by_family=True)


def cut_tables(
    document: Document, *, sizing: Sizing, size: int | None = None, as_sentences: bool = False
) -> Iterator[Chunk]:
    """Tables on their own, whole or in groups of rows; everything else packed by section.

    A table of at most `size` content tokens is one chunk. A larger one is cut between rows, and
    each group carries the sentence in front of the table and its header, for the embedding only.
    With `as_sentences` each row is embedded as `column: value, column: value.` instead. A row
    longer than `size` is cut at white space.

    Raises:
        UserError: `size` below 1 or above what the model reads.
    """
    yield from cut_groups(
        document, sizing=sizing, size=size, by_family=False, as_sentences=as_sentences
    )


def cut_naive(
    document: Document, *, sizing: Sizing, size: int | None = None, overlap: int = 32
) -> Iterator[Chunk]:
    """The baseline of `cut`: windows over the document, whatever stands in it.

    Only where the access list changes do the windows begin anew.

    Raises:
        UserError: as for `cut`.
    """
    size = sizing.limit - RESERVE if size is None else size
    for span in access_spans(document):
        part = replace(document, text=document.text[span.start : span.end])
        for chunk in fixed.cut(part, sizing=sizing, size=size, overlap=overlap):
            yield Chunk(span.start + chunk.start, span.start + chunk.end)


def cut_groups(
    document: Document,
    *,
    sizing: Sizing,
    size: int | None,
    overlap: int = 0,
    by_family: bool,
    as_sentences: bool = False,
) -> Iterator[Chunk]:
    """The chunks behind `cut` and `cut_tables`."""
    size = sizing.limit - RESERVE if size is None else size
    sizing.check_size(size)
    check_window(size, overlap)
    text = document.text
    splitter = RecursiveSplitter(text, sizing.tokenizer)
    before: Sequence[Element] = ()
    for group in groups(document_elements(document), by_family=by_family):
        path = group[-1].path or None
        if group[-1].table:
            table = Table(text, group, lead_sentence(document, before, group))
            yield from table.chunks(splitter, sizing.tokenizer, size, as_sentences=as_sentences)
        else:
            units = [Span(element.start, element.end) for element in group]
            for span in pack(units, splitter, size=size, unit_overlap=overlap):
                yield Chunk(*span, heading_path=path)
        before = group


def groups(elements: Sequence[Element], *, by_family: bool) -> Iterator[list[Element]]:
    """Neighbouring elements that may share a chunk.

    They stand in one section; tables stand alone, and with `by_family` the other families do as
    well. Headings open the group of what follows them.
    """
    held: list[Element] = []
    for element in elements:
        if held and not _belongs(held[-1], element, by_family):
            yield held
            held = []
        held.append(element)
    if held:
        yield held


def _belongs(last: Element, element: Element, by_family: bool) -> bool:
    if last.section != element.section:
        return False
    if last.kind == HEADING:
        return True
    if last.table or element.table:
        return last.table == element.table
    return not by_family or last.family == element.family
