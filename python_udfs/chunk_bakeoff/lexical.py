"""Lexical units: what lexical retrievers match, and what is counted where there are no tokens."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import regex

from chunk_bakeoff.tokens import TokenCount, Tokenizer

# Scripts that put no space between words: each of their characters is a unit.
_UNSPACED = "".join(
    rf"\p{{{script}}}"
    for script in (
        "Bopomofo",
        "Han",
        "Hiragana",
        "Katakana",
        "Khmer",
        "Lao",
        "Myanmar",
        "Thai",
    )
)
# The SQL macro `lexical_units` holds the same three alternatives.
_UNIT = regex.compile(
    rf"[{_UNSPACED}]\p{{M}}*"
    r"|\p{Nd}+(?:[.,]\p{Nd}+)+"
    rf"|(?:[^\P{{L}}{_UNSPACED}]|[\p{{M}}\p{{N}}])+"
)


def lexical_units(text: str) -> list[str]:
    """The units of `text` in order, in NFC and lower case.

    A unit is a character of a script without spaces (with its combining marks), a number with
    separators inside (`1,000`, `2.5`), or a run of letters, marks and digits. Everything else
    separates.
    """
    return [_folded(unit) for unit in _UNIT.findall(text)]


def _folded(unit: str) -> str:
    # DuckDB maps code points one by one: no final sigma, and a dotted capital I gives one letter.
    normalized = unicodedata.normalize("NFC", unit)
    return "".join(character.lower()[0] for character in normalized)


class LexicalTokenizer(Tokenizer):
    """Lexical units in the place of a model's tokens: no model, no special tokens."""

    splits_at_white_space = True
    special_tokens = 0
    digest = hashlib.sha256(_UNIT.pattern.encode()).hexdigest()

    def __init__(self) -> None:
        """Nothing is loaded."""
        self._count_short = lru_cache(maxsize=65_536)(self._count_slice)

    def _count_slice(self, text: str) -> int:
        return sum(1 for _ in _UNIT.finditer(text))

    def count(self, texts: Sequence[str]) -> list[TokenCount]:
        """Units of each text; none of them is unknown."""
        return [TokenCount(self._count_slice(text), 0, 0) for text in texts]

    def offset_arrays(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        """Starts and ends of the units, in order, two int64 arrays of shape `(units,)`."""
        spans = np.array([match.span() for match in _UNIT.finditer(text)], np.int64)
        starts, ends = np.ascontiguousarray(spans.reshape(-1, 2).T)
        return starts, ends
