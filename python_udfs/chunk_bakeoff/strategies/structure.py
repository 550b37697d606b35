"""Markdown sections, with or without the path of their headings in front."""

from __future__ import annotations

from collections.abc import Iterator

from chunk_bakeoff.chunk import Chunk, Sizing
from chunk_bakeoff.documents import Document
from chunk_bakeoff.markdown import Section, sections
from chunk_bakeoff.prefixes import fitting_path, path_line
from chunk_bakeoff.strategies.recursive import RecursiveSplitter

# Tokens kept free below the model's limit for text that tokenizes longer once it is cut.
RESERVE = 6


def cut(document: Document, *, sizing: Sizing, path: bool = True) -> Iterator[Chunk]:
    """One chunk per section; a section longer than the budget is split recursively.

    The budget is the model's limit less `RESERVE`, less the tokens of the path line, special
    tokens counted. Documents that are not Markdown are one section.
    """
    text = document.text
    budget = sizing.limit - RESERVE
    splitter = RecursiveSplitter(text, sizing.tokenizer)
    for section in document_sections(document):
        prefix = path_line(
            fitting_path(section.path, sizing.tokenizer, budget // 2) if path else ""
        )
        size = budget - sizing.tokenizer.count_one(prefix)
        for start, end in splitter.split(section.start, section.end, size=size):
            yield Chunk(
                start,
                end,
                heading_path=section.path or None,
                prefix=prefix,
                context_prefix=prefix,
            )


def document_sections(document: Document, *, deepest: int = 6) -> list[Section]:
    """Sections of a Markdown document; any other document is one section without titles."""
    if document.is_markdown:
        return list(sections(document.text, deepest=deepest))
    return [Section(0, len(document.text), ())]
