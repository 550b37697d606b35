"""Counting tokens exactly as an embedding model does, and cutting by token offsets."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from tokenizers import Tokenizer as FastTokenizer

from chunk_bakeoff.packaged import model_path
from chunk_bakeoff.text import Span, strip_span

# Tokens of text[start:end], special tokens not counted.
Measure = Callable[[int, int], int]


class TokenCount(NamedTuple):
    """Tokens of one text, special tokens included, and how many of them are unknown words."""

    tokens: int
    unknown: int


class Tokenizer:
    """A model's own tokenizer with truncation and padding switched off.

    Files shipped with a model often carry both, so that every long text would count as the limit
    and every short one as the padded length.
    """

    def __init__(self, fast: FastTokenizer) -> None:
        fast.no_truncation()
        fast.no_padding()
        self._fast = fast
        self.special_tokens: int = fast.num_special_tokens_to_add(False)
        self._count_char = lru_cache(maxsize=65_536)(self._count_slice)

    @cached_property
    def splits_at_white_space(self) -> bool:
        """Whether every word is tokenized alone, so that counts add up across white space."""
        pre_tokenizer = json.loads(self._fast.to_str()).get("pre_tokenizer") or {}
        return pre_tokenizer.get("type") == "BertPreTokenizer"

    @cached_property
    def _unknown_id(self) -> int | None:
        unknown = json.loads(self._fast.to_str())["model"].get("unk_token")
        return self._fast.token_to_id(unknown) if unknown else None

    def _count_slice(self, text: str) -> int:
        return len(self._fast.encode(text, add_special_tokens=False).ids)

    def count(self, texts: Sequence[str]) -> list[TokenCount]:
        """Tokens of each text as the model would read it, nothing cut off."""
        encoded = self._fast.encode_batch_fast(list(texts), add_special_tokens=True)
        unknown = self._unknown_id
        return [TokenCount(len(e.ids), e.ids.count(unknown)) for e in encoded]

    def count_one(self, text: str) -> int:
        """Tokens of one text, special tokens included."""
        return self._count_slice(text) + self.special_tokens

    def count_character(self, character: str) -> int:
        """Tokens of a single character on its own, special tokens not counted."""
        return self._count_char(character)

    def offsets(self, text: str) -> list[Span]:
        """Character ranges of the content tokens, in order, the empty ones left out."""
        encoded = self._fast.encode(text, add_special_tokens=False)
        return [Span(start, end) for start, end in encoded.offsets if end > start]

    def covering_offsets(self, text: str) -> list[Span]:
        """Like `offsets`, with the characters that got no token given to a neighbouring token.

        A BERT normalizer drops control, zero-width and some combining characters. They join the
        token in front of them, those before the first token join it, so that the union of the
        ranges holds every character that is not white space. A text without any token is one
        range.
        """
        offsets = self.offsets(text)
        whole = strip_span(text, 0, len(text))
        if not offsets:
            return [whole] if whole.end > whole.start else []
        starts = [min(whole.start, offsets[0].start), *(span.start for span in offsets[1:])]
        spans = []
        for span, start, following in zip(offsets, starts, [*starts[1:], len(text)], strict=True):
            between = strip_span(text, span.end, following)
            end = between.end if between.start < between.end else span.end
            spans.append(Span(start, end))
        return spans

    def measure(self, text: str) -> Measure:
        """A function that counts the content tokens of slices of `text`.

        Where words are tokenized alone the text is tokenized once and slices are counted by
        bisection; such slices must begin and end at white space. Otherwise each slice is encoded.
        """
        if self.splits_at_white_space:
            starts = [span.start for span in self.offsets(text)]
            return lambda start, end: bisect_left(starts, end) - bisect_left(starts, start)
        return lambda start, end: self._count_slice(text[start:end])


@lru_cache(maxsize=8)
def load_tokenizer(source: str) -> Tokenizer:
    """The tokenizer of a model.

    Args:
        source: `package:NAME` of a package that ships a model, or a folder or name that holds a
            `tokenizer.json`.

    Raises:
        ValueError: nothing is found there.
    """
    folder = model_path(source)
    file = folder / "tokenizer.json"
    if not file.is_file():
        raise ValueError(f"tokenizer source {source!r}: no tokenizer.json in {folder}")
    return Tokenizer(FastTokenizer.from_file(str(file)))
