"""The elements of a document: headings, paragraphs, list items, code, table rows, quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from markdown_it.token import Token

from chunk_bakeoff.documents import Document
from chunk_bakeoff.markdown import PATH_SEPARATOR, block_tokens, line_starts
from chunk_bakeoff.text import WHITE_SPACE_CLASS, Span, strip_span

HEADING = "heading"
PARAGRAPH = "paragraph"
LIST_ITEM = "list_item"
CODE = "code"
QUOTE = "quote"
TABLE_HEADER = "table_header"
TABLE_ROW = "table_row"
FRONT_MATTER = "front_matter"
HTML = "html"

_FAMILIES = {
    LIST_ITEM: "list",
    CODE: "code",
    TABLE_HEADER: "table",
    TABLE_ROW: "table",
}
_BLOCKS = {
    "heading_open": HEADING,
    "paragraph_open": PARAGRAPH,
    "blockquote_open": QUOTE,
    "fence": CODE,
    "code_block": CODE,
    "html_block": HTML,
    "hr": PARAGRAPH,
    "front_matter": FRONT_MATTER,
}
BLANK_LINE = re.compile(rf"\r?\n(?:{WHITE_SPACE_CLASS}*?\r?\n)+")


@dataclass(frozen=True, slots=True)
class Element:
    """One block of a document, a stripped slice of its text.

    Attributes:
        kind: one of the kinds above.
        start: first code point.
        end: one past the last code point.
        section: number of the section it stands in; 0 before the first heading.
        titles: the headings above it, outermost first.
        table: number of the table a header or row belongs to, from 1; otherwise 0.
        info: the word behind the opening fence of a code block.
    """

    kind: str
    start: int
    end: int
    section: int = 0
    titles: tuple[str, ...] = ()
    table: int = 0
    info: str = ""

    @property
    def family(self) -> str:
        """`prose`, `list`, `table` or `code`."""
        return _FAMILIES.get(self.kind, "prose")

    @property
    def path(self) -> str:
        """The titles joined with ` > `."""
        return PATH_SEPARATOR.join(self.titles)


def document_elements(document: Document) -> list[Element]:
    """The elements of a document in order; they cover everything that is not white space.

    A document that was given as elements has those. Markdown is read by a CommonMark parser with
    tables and front matter. Any other document is split into paragraphs at blank lines.
    """
    if document.given_elements:
        return list(_given_elements(document.given_elements))
    if document.is_markdown:
        return list(_markdown_elements(document.text))
    return [Element(PARAGRAPH, *span) for span in paragraphs(document.text)]


def access_spans(document: Document) -> Iterator[Span]:
    """The stretches of a document with one access list each, the whole of most documents."""
    runs = groupby(document.given_elements, key=lambda row: row["acl"])
    spans = [(rows[0]["char_start"], rows[-1]["char_end"]) for rows in (list(r) for _, r in runs)]
    for start, end in spans or [(0, len(document.text))]:
        yield Span(start, end)


def paragraphs(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """Stripped spans between the blank lines of `text[start:end]`."""
    end = len(text) if end is None else end
    position = start
    for match in BLANK_LINE.finditer(text, start, end):
        yield from _stripped(text, position, match.start())
        position = match.end()
    yield from _stripped(text, position, end)


def _given_elements(given: Sequence[Mapping[str, Any]]) -> Iterator[Element]:
    """Elements as given; where the section or the access list changes, a section begins."""
    section, table = 0, 0
    before: tuple[Any, ...] | None = None
    for row in given:
        place = (row["section_path"], row["acl"])
        section += before is not None and place != before
        before = place
        table += row["kind"] == TABLE_HEADER
        yield Element(
            row["kind"],
            row["char_start"],
            row["char_end"],
            section,
            tuple(row["section_path"].split(PATH_SEPARATOR)) if row["section_path"] else (),
            table if row["kind"] in (TABLE_HEADER, TABLE_ROW) else 0,
        )


def _markdown_elements(text: str) -> Iterator[Element]:
    starts = [*line_starts(text), len(text)]
    section = 0
    above: list[tuple[int, str]] = []
    position = 0
    table = 0
    for kind, first, last, token, title in _blocks(block_tokens(text)):
        start, end = starts[first], starts[min(last, len(starts) - 1)]
        if start < position:
            continue
        titles = tuple(name for _, name in above)
        # Link definitions give no token; they stay with the section they stand in.
        for span in _stripped(text, position, start):
            yield Element(PARAGRAPH, *span, section, titles)
        position = end
        if kind == HEADING:
            level = int(token.tag[1])
            above = [(deep, name) for deep, name in above if deep < level] + [(level, title)]
            titles = tuple(name for _, name in above)
            section += 1
        table += kind == TABLE_HEADER
        for span in _block_span(text, kind, start, end):
            yield Element(
                kind,
                *span,
                section,
                titles,
                table if kind in (TABLE_HEADER, TABLE_ROW) else 0,
                token.info.strip().split(" ")[0] if kind == CODE and token.info.strip() else "",
            )
    for span in _stripped(text, position, len(text)):
        yield Element(PARAGRAPH, *span, section, tuple(name for _, name in above))


def _blocks(tokens: Sequence[Token]) -> Iterator[tuple[str, int, int, Token, str]]:
    """Kind, first line, line after the last, token and heading text of each element.

    Lists are split at the items of the outermost level, tables at their rows; the delimiter line
    belongs to the header.
    """
    for index, token in enumerate(tokens):
        if token.map is None or token.nesting < 0:
            continue
        first, last = token.map
        if token.level == 0 and token.type in _BLOCKS:
            title = ""
            if token.type == "heading_open":
                title = " ".join(tokens[index + 1].content.split())
            yield _BLOCKS[token.type], first, last, token, title
        elif token.level == 1 and token.type == "list_item_open":
            yield LIST_ITEM, first, last, token, ""
        elif token.level == 1 and token.type == "thead_open":
            yield TABLE_HEADER, first, first + 2, token, ""
        elif (
            token.level == 2 and token.type == "tr_open" and tokens[index - 1].type != "thead_open"
        ):
            yield TABLE_ROW, first, last, token, ""


def _block_span(text: str, kind: str, start: int, end: int) -> Iterator[Span]:
    for span in _stripped(text, start, end):
        # Indentation is part of code; a list item keeps that of its first line.
        if kind == CODE:
            line = max(text.rfind("\n", start, span.start), text.rfind("\r", start, span.start)) + 1
            span = Span(max(line, start), span.end)
        yield span


def _stripped(text: str, start: int, end: int) -> Iterator[Span]:
    span = strip_span(text, start, end)
    if span.end > span.start:
        yield span
