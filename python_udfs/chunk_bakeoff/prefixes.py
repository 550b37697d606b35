"""Lines put in front of a chunk so that its vector knows where it stands."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from functools import cached_property

from chunk_bakeoff.documents import Document
from chunk_bakeoff.errors import UserError
from chunk_bakeoff.markdown import PATH_SEPARATOR, sections
from chunk_bakeoff.tokens import Tokenizer

HEADING_PATH = "heading_path"


def path_line(heading_path: str) -> str:
    """The path and a line break, or nothing for no path."""
    return f"{heading_path}\n" if heading_path else ""


def fitting_path(path: str, tokenizer: Tokenizer, most: int) -> str:
    """The path in at most `most` tokens with its line break: outer headings are left out first."""
    while path and tokenizer.count_one(path_line(path)) > most:
        path = path.partition(PATH_SEPARATOR)[2]
    return path


class ContextualPrefix:
    """`[source: …] [section: …]` for the chunks of one document, within a number of tokens.

    Args:
        document: whose row holds the columns.
        columns: column by label, in order; `heading_path` is the path of headings above a chunk.
        tokenizer: counts the tokens.
        most: tokens the whole prefix may take, special tokens not counted. Outer headings are
            left out first, then the last words of the longest value, then the last labels.

    Raises:
        UserError: a column that the documents do not have.
    """

    def __init__(
        self, document: Document, columns: Mapping[str, str], tokenizer: Tokenizer, most: int
    ) -> None:
        unknown = sorted(set(columns.values()) - set(document.metadata) - {HEADING_PATH})
        if unknown:
            raise UserError(
                f"contextual_prefix names {unknown}, but the documents have "
                f"{sorted(document.metadata)} and {HEADING_PATH!r}"
            )
        self._document = document
        self._columns = columns
        self._tokenizer = tokenizer
        self._most = most

    @cached_property
    def _sections(self) -> tuple[list[int], list[tuple[str, ...]]]:
        if not self._document.is_markdown:
            return [0], [()]
        found = list(sections(self._document.text))
        return [section.start for section in found], [section.titles for section in found]

    def titles(self, position: int) -> tuple[str, ...]:
        """The headings above a code point of the document, outermost first."""
        starts, titles = self._sections
        index = bisect_right(starts, position) - 1
        return titles[index] if index >= 0 else ()

    def line(self, position: int) -> str:
        """The prefix of a chunk that begins at `position`, with its line break; may be empty."""
        titles = self.titles(position)
        values = {
            label: PATH_SEPARATOR.join(titles)
            if column == HEADING_PATH
            else str(self._document.metadata.get(column) or "")
            for label, column in self._columns.items()
        }
        while len(titles) > 1 and self._tokens(values) > self._most:
            titles = titles[1:]
            for label, column in self._columns.items():
                if column == HEADING_PATH:
                    values[label] = PATH_SEPARATOR.join(titles)
        while self._tokens(values) > self._most:
            longest = max(values, key=lambda label: len(values[label]))
            shorter = values[longest].rpartition(" ")[0]
            values[longest] = shorter
            if not any(values.values()):
                break
        return _written(values)

    def _tokens(self, values: Mapping[str, str]) -> int:
        return self._tokenizer.count_one(_written(values)) - self._tokenizer.special_tokens


def _written(values: Mapping[str, str]) -> str:
    parts = [f"[{label}: {' '.join(value.split())}]" for label, value in values.items() if value]
    return f"{' '.join(parts)}\n" if parts else ""
