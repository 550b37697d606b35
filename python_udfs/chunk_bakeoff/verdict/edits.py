"""Typical edits of a document, to see what a strategy has to embed again."""

from __future__ import annotations

import re
from collections.abc import Callable

from chunk_bakeoff.documents import Document
from chunk_bakeoff.markdown import headings

NEW_SECTION = "Recent changes\n\nThis part was added after the index had been built.\n\n"
_WORD = re.compile(r"\b[^\W\d_]{4,}\b")
_PARAGRAPH = re.compile(
    r"(?:\A|\n[ \t]*\n)(?P<body>[^\s#|`~<-][^\n]*(?:\n(?![ \t]*(?:\n|#|```|~~~))[^\n]+)*)"
)


def insert_section(document: Document) -> str:
    """A section of two lines behind the first heading's section, or at the very top."""
    text = document.text
    if not document.is_markdown:
        return NEW_SECTION + text
    found = headings(text)
    position = found[1].start if len(found) > 1 else 0
    return f"{text[:position]}## {NEW_SECTION}{text[position:]}"


def change_word(document: Document) -> str:
    """Another word in place of the one in the middle."""
    words = list(_WORD.finditer(document.text))
    if not words:
        return document.text
    word = words[len(words) // 2]
    return f"{document.text[: word.start()]}reworded{document.text[word.end() :]}"


def delete_paragraph(document: Document) -> str:
    """One paragraph of prose less: the one a third of the way through."""
    paragraphs = list(_PARAGRAPH.finditer(document.text))
    if len(paragraphs) < 2:
        return document.text
    gone = paragraphs[len(paragraphs) // 3]
    return document.text[: gone.start("body")] + document.text[gone.end("body") :].lstrip("\n")


def rename_heading(document: Document) -> str:
    """Two more words in the second heading, which other headings may stand under."""
    found = headings(document.text) if document.is_markdown else []
    if not found:
        return document.text
    heading = found[min(1, len(found) - 1)]
    end = document.text.find(heading.title, heading.start) + len(heading.title)
    return f"{document.text[:end]} as revised{document.text[end:]}"


EDITS: dict[str, Callable[[Document], str]] = {
    "insert_section": insert_section,
    "change_word": change_word,
    "delete_paragraph": delete_paragraph,
    "rename_heading": rename_heading,
}
