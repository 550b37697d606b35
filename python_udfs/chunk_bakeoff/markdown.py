"""Headings and sections of Markdown, found by a CommonMark parser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.front_matter import front_matter_plugin

PATH_SEPARATOR = " > "
_LINE_END = re.compile(r"\r\n?|\n")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading that opens a section.

    Attributes:
        level: 1 to 6.
        title: raw source of its text, line breaks as spaces.
        start: first code point of its (first) line.
    """

    level: int
    title: str
    start: int


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what follows it up to the next one; text before the first has no title.

    Attributes:
        start: first code point of the heading's line.
        end: one past the last code point of the section.
        titles: the headings above the section and its own, outermost first.
    """

    start: int
    end: int
    titles: tuple[str, ...]

    @property
    def path(self) -> str:
        """The titles joined with ` > `; empty before the first heading."""
        return PATH_SEPARATOR.join(self.titles)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table").use(front_matter_plugin)
    # Headings need no inline parsing, which is most of the work.
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def line_starts(text: str) -> list[int]:
    """Code point at which each line begins, lines as CommonMark ends them (LF, CRLF or CR)."""
    return [0, *(match.end() for match in _LINE_END.finditer(text))]


def block_tokens(text: str) -> list[Token]:
    """The block tokens of a Markdown text, with the lines each stands on; inline text unparsed."""
    return _parser().parse(text)


# The levels of one document are asked for one after the other.
@lru_cache(maxsize=1)
def headings(text: str) -> tuple[Heading, ...]:
    """ATX and setext headings outside block quotes and lists, in order."""
    if "#" not in text and "=" not in text and "-" not in text:
        return ()
    starts = line_starts(text)
    tokens = block_tokens(text)
    found = []
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open" and opening.level == 0 and opening.map:
            title = " ".join(line.strip() for line in inline.content.split("\n"))
            found.append(Heading(int(opening.tag[1]), title, starts[opening.map[0]]))
    return tuple(found)


def sections(text: str, *, deepest: int = 6) -> Iterator[Section]:
    """Sections from each heading of level 1 to `deepest` to the next such heading.

    Text before the first heading is a section without titles. The sections tile the text.
    """
    above: list[Heading] = []
    start = 0
    for heading in headings(text):
        if heading.level > deepest:
            continue
        if heading.start > start:
            yield Section(start, heading.start, tuple(h.title for h in above))
        above = [h for h in above if h.level < heading.level] + [heading]
        start = heading.start
    if start < len(text):
        yield Section(start, len(text), tuple(h.title for h in above))
