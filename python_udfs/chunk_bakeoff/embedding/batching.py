"""Batches of similar length under a token budget, so that little of them is padding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

# Share of a batch that may be padding, and padding that costs less than another call of the model.
MOST_PADDING = 0.1
FREE_PADDING = 128


class PendingText(NamedTuple):
    """A text that has no vector yet.

    With late chunking `text` is the window, and the vector is the mean of its tokens in
    `[pool_start, pool_end)`, in code points.
    """

    text_kind: str
    embedding_key: str
    text: str
    token_count: int
    pool_start: int | None = None
    pool_end: int | None = None


def batches(
    texts: Iterable[PendingText],
    *,
    batch_tokens: int,
    max_tokens: int,
    most_padding: float = 1.0,
) -> Iterator[list[PendingText]]:
    """Consecutive texts of one kind whose padded size, longest by number, fits `batch_tokens`.

    Sort the texts by kind and length first. A text counts at most `max_tokens`: the rest is cut
    off. A batch ends, too, where more than the share `most_padding` of it would be padding, and
    that is more than `FREE_PADDING` tokens.
    """
    held: list[PendingText] = []
    longest = tokens = 0
    for text in texts:
        length = max(1, min(text.token_count, max_tokens))
        padded = max(longest, length) * (len(held) + 1)
        padding = padded - tokens - length
        wasteful = padding > max(most_padding * padded, FREE_PADDING)
        if held and (padded > batch_tokens or wasteful or text.text_kind != held[0].text_kind):
            yield held
            held, longest, tokens = [], 0, 0
        held.append(text)
        longest = max(longest, length)
        tokens += length
    if held:
        yield held


def read_tokens(texts: Iterable[PendingText], max_tokens: int) -> int:
    """Tokens that the model reads of these texts."""
    return sum(min(text.token_count, max_tokens) for text in texts)


def padded_tokens(texts: Sequence[PendingText], max_tokens: int) -> int:
    """Tokens that a batch of these texts computes: all are padded to the longest."""
    longest = max((min(text.token_count, max_tokens) for text in texts), default=0)
    return longest * len(texts)
