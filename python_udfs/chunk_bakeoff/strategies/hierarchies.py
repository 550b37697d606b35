"""Small children are ranked; a section, or the part of it that a prompt can bear, is delivered."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from chunk_bakeoff.chunk import Chunk, Sizing
from chunk_bakeoff.documents import Document
from chunk_bakeoff.errors import UserError
from chunk_bakeoff.markdown import Section
from chunk_bakeoff.prefixes import fitting_path, path_line
from chunk_bakeoff.strategies.recursive import RecursiveSplitter
from chunk_bakeoff.strategies.structure import document_sections
from chunk_bakeoff.text import Span, strip_span


def cut(
    document: Document,
    *,
    sizing: Sizing,
    child_size: int = 64,
    deepest: int = 2,
    cap: int | None = None,
    auto_merge: bool = False,
) -> Iterator[Chunk]:
    """Rank children of `child_size` tokens, deliver the parent each stands in.

    Parents are the sections of heading level 1 to `deepest`, with everything below them. A
    parent of more than `cap` tokens does not go to the prompt: the sections inside it take its
    place, level by level, and where even the deepest is too long, parts of at most `cap`. A child
    takes at most `child_size` tokens with the path of headings in front, special tokens counted.

    Args:
        document: the document.
        sizing: counts the tokens.
        child_size: tokens of a child.
        deepest: level of the headings that open a parent, 1 to 6.
        cap: most content tokens of a parent; None for no cap.
        auto_merge: deliver the child, and leave it to a delivery with `auto_merge` to send the
            parent where enough of its children are found.

    Raises:
        UserError: `child_size` below 8, `deepest` outside 1 to 6, `cap` below `child_size`.
    """
    if child_size < 8:
        raise UserError(f"child_size must be at least 8, not {child_size}")
    if not 1 <= deepest <= 6:
        raise UserError(f"deepest must be a heading level from 1 to 6, not {deepest}")
    if cap is not None and cap < child_size:
        raise UserError(f"cap must be at least child_size ({child_size}), not {cap}")
    sizing.check_size(child_size - sizing.tokenizer.special_tokens)
    splitter = RecursiveSplitter(document.text, sizing.tokenizer)
    for section, parent in parents(document, splitter, deepest=deepest, cap=cap):
        path = fitting_path(section.path, sizing.tokenizer, child_size // 2)
        prefix = path_line(path)
        size = child_size - sizing.tokenizer.count_one(prefix)
        for start, end in splitter.split(*parent, size=size):
            whole = (parent.start, parent.end)
            yield Chunk(
                start,
                end,
                heading_path=section.path or None,
                prefix=prefix,
                context=None if auto_merge else whole,
                parent=whole,
            )


def parents(
    document: Document, splitter: RecursiveSplitter, *, deepest: int, cap: int | None
) -> Iterator[tuple[Section, Span]]:
    """The spans to deliver, each with the section it is or stands in; they tile the document."""
    levels = [document_sections(document, deepest=level) for level in range(deepest, 7)]
    for section in levels[0]:
        yield from _within_cap(document.text, section, levels[1:], splitter, cap)


def _within_cap(
    text: str,
    section: Section,
    levels: Sequence[Sequence[Section]],
    splitter: RecursiveSplitter,
    cap: int | None,
) -> Iterator[tuple[Section, Span]]:
    span = strip_span(text, section.start, section.end)
    if span.end <= span.start:
        return
    if cap is None or splitter.tokens(*span) <= cap:
        yield section, span
    elif levels:
        starts = [inner.start for inner in levels[0]]
        for inner in levels[0][
            bisect_left(starts, section.start) : bisect_left(starts, section.end)
        ]:
            yield from _within_cap(text, inner, levels[1:], splitter, cap)
    else:
        for part in splitter.split(*span, size=cap):
            yield section, part
