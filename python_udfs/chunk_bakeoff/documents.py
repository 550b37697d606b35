"""The document as the strategies see it, and the cleaning steps that give its canonical text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from chunk_bakeoff.errors import UserError

BYTE_ORDER_MARK = "\ufeff"
MARKDOWN = "text/markdown"


@dataclass(frozen=True, slots=True)
class Document:
    """One document: its canonical text and what a strategy may want to know about it."""

    text: str
    doc_id: str = ""
    media_type: str = MARKDOWN
    language: str = "und"
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_markdown(self) -> bool:
        """Whether headings, fences and tables mean something in this document."""
        return self.media_type in (MARKDOWN, "text/x-markdown", "markdown")


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
