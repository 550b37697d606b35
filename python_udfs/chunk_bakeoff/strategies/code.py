"""Source code in chunks of one function, one class, or one statement."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from chunk_bakeoff.chunk import Chunk, Sizing
from chunk_bakeoff.documents import Document
from chunk_bakeoff.elements import CODE, document_elements
from chunk_bakeoff.markdown import PATH_SEPARATOR
from chunk_bakeoff.source_code import FENCE_NAMES, MEDIA_TYPES, Piece, pieces
from chunk_bakeoff.strategies.elements import groups
from chunk_bakeoff.strategies.packing import pack
from chunk_bakeoff.strategies.recursive import RESERVE, RecursiveSplitter
from chunk_bakeoff.text import Span


def cut(document: Document, *, sizing: Sizing, size: int | None = None) -> Iterator[Chunk]:
    """One chunk per top-level function or class, with its decorators and the comments above.

    What stands between definitions, such as imports and constants, is a chunk of its own. A
    class longer than `size` content tokens is cut into its head and its methods, anything else
    that is too long at line breaks. `filepath:` and `symbol:` (`module > Class > method`) stand
    in front of what is embedded, not in the body.

    The language follows from the media type. In Markdown, a fenced block that is too long is cut
    the same way; the rest, and any other document, is packed by section and kind of content.

    Args:
        document: the document; a column `file_path` gives the path, else its id.
        sizing: counts the tokens.
        size: default: the limit less `RESERVE`.

    Raises:
        UserError: `size` below 1 or above what the model reads, or a grammar is not installed.
    """
    size = sizing.limit - RESERVE if size is None else size
    sizing.check_size(size)
    splitter = RecursiveSplitter(document.text, sizing.tokenizer)
    language = MEDIA_TYPES.get(document.media_type)
    if language is None:
        yield from _mixed(document, splitter, sizing, size)
        return
    path = str(document.metadata.get("file_path") or document.doc_id)
    module = path.rpartition("/")[2].partition(".")[0]
    for piece in pieces(document.text, language):
        yield from _chunks(piece, splitter, sizing, size, path, module)


def _chunks(
    piece: Piece, splitter: RecursiveSplitter, sizing: Sizing, size: int, path: str, module: str
) -> Iterator[Chunk]:
    symbol = PATH_SEPARATOR.join(filter(None, (module, *piece.symbol)))
    prefix = _prefix(path, symbol, sizing, size // 2)
    room = size - (sizing.tokenizer.count_one(prefix) - sizing.tokenizer.special_tokens)
    if splitter.tokens(piece.start, piece.end) > room and len(piece.inner) > 1:
        for inner in piece.inner:
            yield from _chunks(inner, splitter, sizing, size, path, module)
        return
    for start, end in splitter.split(piece.start, piece.end, size=room):
        yield Chunk(
            _indented(splitter.text, start, piece.start),
            end,
            heading_path=symbol or None,
            prefix=prefix,
        )


def _indented(text: str, start: int, earliest: int) -> int:
    """The start of the line, where nothing but spaces and tabs stand in front of `start`."""
    line = start
    while line > earliest and text[line - 1] in " \t":
        line -= 1
    return line if line == earliest or text[line - 1] in "\r\n" else start


def _prefix(path: str, symbol: str, sizing: Sizing, most: int) -> str:
    """The path and the symbol, each where it still fits into `most` tokens."""
    lines = [f"filepath: {path}\n" if path else "", f"symbol: {symbol}\n" if symbol else ""]
    for prefix in ("".join(lines), lines[1], lines[0]):
        if sizing.tokenizer.count_one(prefix) - sizing.tokenizer.special_tokens <= most:
            return prefix
    return ""


def _mixed(
    document: Document, splitter: RecursiveSplitter, sizing: Sizing, size: int
) -> Iterator[Chunk]:
    for group in groups(document_elements(document), by_family=True):
        path = group[-1].path or None
        held: list[Span] = []
        for element in group:
            language = FENCE_NAMES.get(element.info.lower()) if element.kind == CODE else None
            if language is None or splitter.tokens(element.start, element.end) <= size:
                held.append(Span(element.start, element.end))
                continue
            yield from (Chunk(*s, heading_path=path) for s in pack(held, splitter, size=size))
            held = []
            for span in _fenced(document.text, language, element.start, element.end):
                for start, end in splitter.split(*span, size=size):
                    yield Chunk(start, end, heading_path=path)
        yield from (Chunk(*s, heading_path=path) for s in pack(held, splitter, size=size))


def _fenced(text: str, language: str, start: int, end: int) -> Iterator[Span]:
    """The definitions of a fenced block; the fences go with the first and the last."""
    first = text.find("\n", start, end) + 1 or start
    last = max(text.rfind("\n", first, end), first)
    found = pieces(text, language, first, last)
    edges = [start, *(piece.start for piece in found[1:]), end]
    yield from itertools.starmap(Span, itertools.pairwise(edges))
