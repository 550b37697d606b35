"""Finding the exact place of a golden quote in its document."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from chunk_bakeoff.markdown import headings
from chunk_bakeoff.text import WHITE_SPACE_CLASS, Span, is_blank, strip_span

_LIST_NUMBER = re.compile(r"^\d+(?:\.\d+)*[.)]?\s+")


@dataclass(frozen=True, slots=True)
class Resolution:
    """Where a quote stands, or why it cannot be scored.

    Attributes:
        status: `ok`, `not_found`, `ambiguous`, `invalid_empty`, `nfc_mismatch`,
            `whitespace_mismatch`, `unknown_document` or `unknown_section`.
        span: the place for `ok`; for the two mismatches the place that was probably meant.
        occurrences: start of every exact occurrence, overlapping ones included.
        nearest: most similar passage of the document where the quote was not found.
        distance: edit distance between the quote and that passage.
    """

    status: str
    span: Span | None = None
    occurrences: tuple[int, ...] = ()
    nearest: Span | None = None
    distance: int | None = None


def resolve(
    text: str | None,
    quote: str,
    *,
    occurrence: int | None = None,
    char_start: int | None = None,
    section: str | None = None,
) -> Resolution:
    """Resolve one quote against the canonical text of its document.

    Args:
        text: the document; None when there is no such document.
        quote: the exact passage.
        occurrence: which one is meant (from 1) where the passage is repeated.
        char_start: where it begins, as another way to say which one is meant.
        section: heading of the section in which it stands (a leading list number is ignored).
    """
    if is_blank(quote):
        return Resolution("invalid_empty")
    if text is None:
        return Resolution("unknown_document")
    area = Span(0, len(text))
    if section is not None:
        found = _section(text, section)
        if found is None:
            return Resolution("unknown_section")
        area = found
    occurrences = tuple(_occurrences(text, quote, area))
    if not occurrences:
        return _mismatch(text, quote, area)
    start = _chosen(occurrences, occurrence, char_start)
    if start is None:
        return Resolution("ambiguous", occurrences=occurrences)
    return Resolution("ok", Span(start, start + len(quote)), occurrences)


def _chosen(
    occurrences: tuple[int, ...], occurrence: int | None, char_start: int | None
) -> int | None:
    if char_start is not None:
        return char_start if char_start in occurrences else None
    if occurrence is not None:
        return occurrences[occurrence - 1] if 1 <= occurrence <= len(occurrences) else None
    return occurrences[0] if len(occurrences) == 1 else None


def _occurrences(text: str, quote: str, area: Span) -> Iterator[int]:
    position = text.find(quote, area.start, area.end)
    while position >= 0:
        yield position
        position = text.find(quote, position + 1, area.end)


def _section(text: str, title: str) -> Span | None:
    """From the only heading with this text to the next of the same or a higher level."""
    found = headings(text)
    wanted = _LIST_NUMBER.sub("", title.strip())
    matching = [h for h in found if _LIST_NUMBER.sub("", h.title) == wanted]
    if len(matching) != 1:
        return None
    opening = matching[0]
    later = (h.start for h in found if h.start > opening.start and h.level <= opening.level)
    return Span(opening.start, next(later, len(text)))


def _mismatch(text: str, quote: str, area: Span) -> Resolution:
    """Name the remedy where the quote differs in white space or normal form only."""
    words = [re.escape(word) for word in re.split(f"{WHITE_SPACE_CLASS}+", quote) if word]
    match = re.compile(f"{WHITE_SPACE_CLASS}+".join(words)).search(text, *area)
    if match:
        return Resolution("whitespace_mismatch", Span(*match.span()))
    span = _same_after_nfc(text, quote, area)
    if span is not None:
        return Resolution("nfc_mismatch", span)
    best = fuzz.partial_ratio_alignment(quote, text[area.start : area.end])
    if best is None:
        return Resolution("not_found")
    nearest = strip_span(text, area.start + best.dest_start, area.start + best.dest_end)
    if nearest.end == nearest.start:
        return Resolution("not_found")
    distance = Levenshtein.distance(quote, text[nearest.start : nearest.end])
    return Resolution("not_found", nearest=nearest, distance=distance)


def _same_after_nfc(text: str, quote: str, area: Span) -> Span | None:
    """Where the quote stands once both sides are in NFC, in code points of the source."""
    if all(unicodedata.is_normalized("NFC", side) for side in (quote, text[slice(*area)])):
        return None
    wanted = unicodedata.normalize("NFC", quote)
    normalized: list[str] = []
    origins: list[Span] = []
    position = area.start
    while position < area.end:
        cluster = unicodedata.normalize("NFC", text[position])
        end = position + 1
        # Combining marks, and what has no combining class but composes, as Hangul jamo.
        while end < area.end and (
            unicodedata.combining(text[end])
            or len(unicodedata.normalize("NFC", cluster + text[end])) <= len(cluster)
        ):
            end += 1
            cluster = unicodedata.normalize("NFC", text[position:end])
        normalized.append(cluster)
        origins.extend([Span(position, end)] * len(cluster))
        position = end
    found = "".join(normalized).find(wanted)
    if found < 0 or not wanted:
        return None
    return Span(origins[found].start, origins[found + len(wanted) - 1].end)
