"""The windows of late chunking: what runs through the model once for several chunks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace

from chunk_bakeoff.contract import Chunk, Sizing
from chunk_bakeoff.documents import Document
from chunk_bakeoff.errors import UserError
from chunk_bakeoff.text import WHITE_SPACE, Span, strip_span


def with_windows(
    document: Document, chunks: Sequence[Chunk], sizing: Sizing, overlap: int
) -> Iterator[Chunk]:
    """The chunks, each with the window whose token vectors are pooled for it.

    A window is as long as the model reads. The next one begins `overlap` tokens before the first
    chunk that the present one does not hold whole, or later where that chunk would not fit. The
    whole document is the only window where it fits. Günther et al. 2024, "Late chunking".

    Args:
        document: the document.
        chunks: in the order of their starts.
        sizing: of the model that reads the windows.
        overlap: most tokens that two neighbouring windows share in front of a new chunk.

    Raises:
        UserError: a chunk is longer than the model's limit, or has a text of its own to embed.
    """
    text = document.text
    offsets = sizing.tokenizer.offsets(text)
    starts = [span.start for span in offsets]
    room = sizing.limit - sizing.tokenizer.special_tokens
    window: Span | None = None
    for chunk in chunks:
        if chunk.prefix or chunk.embed_text is not None:
            raise UserError(
                f"document {document.doc_id!r}, chunk [{chunk.start}, {chunk.end}): late chunking "
                "pools the tokens of the source; use settings without a prefix"
            )
        if window is None or chunk.end > window.end or chunk.start < window.start:
            first = bisect_left(starts, chunk.start)
            last = bisect_left(starts, chunk.end)
            if last - first > room:
                raise UserError(
                    f"document {document.doc_id!r}, chunk [{chunk.start}, {chunk.end}): "
                    f"{last - first} tokens do not fit the {room} that the model reads"
                )
            window = _window(text, offsets, first, last, room, overlap)
            # Characters without a token may stand at the edges of a chunk.
            window = Span(min(window.start, chunk.start), max(window.end, chunk.end))
        yield replace(chunk, window=window)


def _window(
    text: str, offsets: Sequence[Span], first: int, last: int, room: int, overlap: int
) -> Span:
    if first == last:
        return strip_span(text, 0, len(text))
    begin = 0 if last <= room else max(first - overlap, last - room, 0)
    # A window that began inside a word would be tokenized otherwise than the document.
    while begin < first and begin > 0 and not _begins_word(text, offsets[begin].start):
        begin += 1
    end = min(begin + room, len(offsets))
    while end > last and end < len(offsets) and not _begins_word(text, offsets[end].start):
        end -= 1
    return strip_span(text, offsets[begin].start, offsets[end - 1].end)


def _begins_word(text: str, position: int) -> bool:
    return position == 0 or text[position - 1] in WHITE_SPACE
