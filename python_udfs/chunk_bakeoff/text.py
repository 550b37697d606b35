"""White space and spans. Offsets are Unicode code points, half-open `[start, end)`."""

from __future__ import annotations

import re
from typing import NamedTuple

# The 25 code points of the Unicode property White_Space. `str.isspace` also counts U+001C to
# U+001F, and DuckDB's `\s` only knows ASCII, so both sides spell the set out; the SQL macro
# `white_space_class` holds the same one.
WHITE_SPACE = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
WHITE_SPACE_CLASS = f"[{re.escape(WHITE_SPACE)}]"
_NOT_WHITE = re.compile(f"[^{re.escape(WHITE_SPACE)}]")


class Span(NamedTuple):
    """A slice `text[start:end]` of a document."""

    start: int
    end: int


def is_blank(text: str) -> bool:
    """Whether `text` holds nothing but white space."""
    return not text.strip(WHITE_SPACE)


def strip_span(text: str, start: int, end: int) -> Span:
    """`[start, end)` without white space at its edges; an empty span at `end` when all is blank."""
    first = _NOT_WHITE.search(text, start, end)
    if first is None:
        return Span(end, end)
    while text[end - 1] in WHITE_SPACE:
        end -= 1
    return Span(first.start(), end)
