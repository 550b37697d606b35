"""Sentences of a text in any language, as exact spans."""

from __future__ import annotations

from collections.abc import Iterator

from sentencex import segment

from chunk_bakeoff.text import Span, strip_span

UNKNOWN_LANGUAGE = "und"
# sentencex takes time that grows with the square of some texts, so that it is given a part at a
# time: at first so many characters, more where they are one sentence, at most so many.
PART = 4096
LONGEST = 65_536


def sentences(text: str, start: int, end: int, language: str = UNKNOWN_LANGUAGE) -> Iterator[Span]:
    """Stripped spans of the sentences of `text[start:end]`.

    sentencex (Wikimedia) knows abbreviations by language and the marks of scripts without spaces
    or capitals. A language it does not know is treated like English.

    Args:
        text: the document.
        start: first code point of the part to split.
        end: one past its last code point.
        language: a BCP 47 tag; only its primary part counts.

    Raises:
        RuntimeError: the splitter changed the text, so that its sentences have no place in it.
    """
    part = text[start:end]
    code = language.split("-")[0].lower()
    code = "en" if code in ("", UNKNOWN_LANGUAGE) else code
    position = 0
    for piece in _pieces(code, part):
        if not part.startswith(piece, position):
            raise RuntimeError(
                f"sentencex changed the text at code point {start + position}; "
                f"it gave {piece[:40]!r}"
            )
        span = strip_span(text, start + position, start + position + len(piece))
        if span.end > span.start:
            yield span
        position += len(piece)
    rest = strip_span(text, start + position, end)
    if rest.end > rest.start:
        raise RuntimeError(f"sentencex lost the text from code point {rest.start}")


def _pieces(code: str, text: str) -> Iterator[str]:
    """The sentences of `text` with the white space behind them; longer than `LONGEST`, cut."""
    start, length = 0, PART
    while start + length < len(text):
        # The last one may go on behind the part.
        *whole, _ = segment(code, text[start : start + length])
        if not whole and length < LONGEST:
            length *= 2
            continue
        found = whole or [text[start : start + length]]
        yield from found
        start, length = start + sum(map(len, found)), PART
    yield from segment(code, text[start:])
