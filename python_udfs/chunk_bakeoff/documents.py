"""The document as the strategies see it, and the cleaning steps that give its canonical text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chunk_bakeoff.units import UnitVectors

from chunk_bakeoff.errors import UserError

BYTE_ORDER_MARK = "\ufeff"
MARKDOWN = "text/markdown"


@dataclass(frozen=True, slots=True)
class Document:
    """One document: its canonical text and what a strategy may want to know about it.

    Attributes:
        text: the canonical text.
        doc_id: its id.
        media_type: what its text is written in.
        language: a BCP 47 tag; `und` where it is not known.
        metadata: every column of the document's row.
        units: sentences with their vectors, for the strategies that compare them.
    """

    text: str
    doc_id: str = ""
    media_type: str = MARKDOWN
    language: str = "und"
    metadata: Mapping[str, Any] = field(default_factory=dict)
    units: UnitVectors | None = None

    @property
    def given_elements(self) -> Sequence[Mapping[str, Any]]:
        """The elements of a document that was given as elements: rows of its own column."""
        return self.metadata.get("given_elements") or ()

    @property
    def is_markdown(self) -> bool:
        """Whether headings, fences and tables mean something in this document."""
        return self.media_type in (MARKDOWN, "text/x-markdown", "markdown")


def document_of(row: Mapping[str, Any], units: UnitVectors | None = None) -> Document:
    """The document of a row of `stg_documents`."""
    return Document(
        text=row["text"],
        doc_id=row["doc_id"],
        media_type=row.get("media_type") or "text/plain",
        language=row.get("language") or "und",
        metadata=row,
        units=units,
    )


CLEANING_STEPS: dict[str, Callable[[str], str]] = {
    "drop_link_definitions": lambda text: re.sub(r"(?m)^\[[^\]\n]+\]:[^\n]*\n?", "", text),
    "normalize_line_endings": lambda text: re.sub(r"\r\n?", "\n", text),
}


def canonical_text(raw: str, steps: Iterable[str] = ()) -> str:
    """The text that all offsets point into: `raw` without byte-order mark, after the named steps.

    Raises:
        UserError: a step is unknown, or the text holds a NUL or a lone surrogate (neither can
            be stored and tokenized without loss).
    """
    for name, pattern in (("NUL", "\x00"), ("lone surrogate", "[\ud800-\udfff]")):
        bad = re.search(pattern, raw)
        if bad:
            raise UserError(f"{name} at position {bad.start()}; remove it from the source")
    text = raw.removeprefix(BYTE_ORDER_MARK)
    for step in steps:
        if step not in CLEANING_STEPS:
            raise UserError(
                f"unknown cleaning step {step!r}; known: {', '.join(sorted(CLEANING_STEPS))}"
            )
        text = CLEANING_STEPS[step](text)
    return text
