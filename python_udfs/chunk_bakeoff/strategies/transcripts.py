"""Conversations cut between the turns of their speakers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from chunk_bakeoff.chunk import Chunk, Sizing
from chunk_bakeoff.documents import Document
from chunk_bakeoff.elements import paragraphs
from chunk_bakeoff.strategies.packing import pack
from chunk_bakeoff.strategies.recursive import RESERVE, RecursiveSplitter
from chunk_bakeoff.text import Span, strip_span

_TIME = r"[\[(<]?\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?[\])>]?"
_SPEAKER = r"(?P<{0}>[^\W\d_][\w.'\u2019-]*(?: [\w.'\u2019&-]+){{0,3}})"
_TURN = re.compile(
    rf"^[ \t]*(?P<cue>{_TIME}[ \t]*-->[ \t]*{_TIME}[^\r\n]*)$"
    rf"|^[ \t]*(?P<time>{_TIME})?[ \t]*[-\u2013]?[ \t]*\*{{0,2}}{_SPEAKER.format('speaker')}"
    rf"[ \t]*(?P<after>{_TIME})?\*{{0,2}}[ \t]*:(?=\*{{0,2}}(?:[ \t]|$))",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker says until another one speaks.

    Attributes:
        start: first code point, that of the timestamp where there is one.
        end: one past the last code point.
        speaker: empty for what stands in front of the first turn.
    """

    start: int
    end: int
    speaker: str = ""


def turns(text: str) -> list[Turn]:
    """The turns of a conversation; what stands in front of the first is paragraphs.

    A turn begins with a line `Name: …`, with or without a timestamp in front of or behind the
    name, or with a WebVTT cue. Where any line has a timestamp, only such lines begin turns, so
    that `Note: …` in a turn does not. Lines without a speaker belong to the turn above.
    """
    found = list(_TURN.finditer(text))
    timed = [match for match in found if match["cue"] or match["time"] or match["after"]]
    found = timed or found
    opening = found[0].start() if found else len(text)
    result = [Turn(*span) for span in paragraphs(text, 0, opening)]
    ends = [*(match.start() for match in found[1:]), len(text)]
    for match, end in zip(found, ends, strict=False):
        span = strip_span(text, match.start(), end)
        result.append(Turn(*span, speaker=match["speaker"] or ""))
    return result


def cut(document: Document, *, sizing: Sizing, size: int | None = None) -> Iterator[Chunk]:
    """Merge turns up to `size` content tokens (default: the limit less `RESERVE`).

    A turn that is longer alone is split recursively; its parts carry the speaker's name, for the
    embedding only. Documents without turns are packed by paragraph.

    Raises:
        UserError: `size` below 1 or above what the model reads.
    """
    size = sizing.limit - RESERVE if size is None else size
    sizing.check_size(size)
    splitter = RecursiveSplitter(document.text, sizing.tokenizer)
    held: list[Span] = []
    for turn in turns(document.text):
        if splitter.tokens(turn.start, turn.end) <= size:
            held.append(Span(turn.start, turn.end))
            continue
        yield from (Chunk(*span) for span in pack(held, splitter, size=size))
        held = []
        yield from _parts(turn, splitter, sizing, size)
    yield from (Chunk(*span) for span in pack(held, splitter, size=size))


def _parts(turn: Turn, splitter: RecursiveSplitter, sizing: Sizing, size: int) -> Iterator[Chunk]:
    prefix = f"{turn.speaker}:\n" if turn.speaker else ""
    taken = sizing.tokenizer.count_one(prefix) - sizing.tokenizer.special_tokens if prefix else 0
    if taken > size // 2:
        prefix, taken = "", 0
    for start, end in splitter.split(turn.start, turn.end, size=size - taken):
        yield Chunk(start, end, prefix="" if start == turn.start else prefix)
