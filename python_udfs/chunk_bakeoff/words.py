"""Token offsets of long texts, put together from those of their words.

Where a tokenizer treats every word alone, a word has the same tokens wherever it stands. Language
repeats its words, so that encoding each distinct one once is several times faster than encoding
the text.
"""

from __future__ import annotations

import re
import threading
from array import array
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from tokenizers import Tokenizer as FastTokenizer

# A text is worked on in parts of about this many characters.
BLOCK_CHARACTERS = 1 << 20
# When the words that are kept have more characters, all are dropped.
MOST_CHARACTERS = 2_000_000
WORDS_AT_ONCE = 256
_BLOCK_EDGE = re.compile(r"[ \n]")
# A BERT pre-tokenizer makes a word of every punctuation mark; the ASCII ones are all it takes here.
_PART = re.compile(r"[!-/:-@\[-`{-~]|[^!-/:-@\[-`{-~]+")


class WordOffsets:
    """Finds the tokens of texts, and keeps those of the words.

    A word is what stands between spaces and line breaks. Other white space stays inside a word:
    a BERT normalizer drops some of it and so joins what stands on its sides.

    Args:
        fast: a tokenizer that treats every word and every punctuation mark alone.
        added: its added tokens, which are found before words are.
    """

    def __init__(self, fast: FastTokenizer, added: Iterable[str] = ()) -> None:
        self._fast = fast
        self._added = re.compile("|".join(map(re.escape, added)) or "(?!)")
        # dbt runs several models at once in threads of one process.
        self._lock = threading.Lock()
        self._drop_all()

    def _drop_all(self) -> None:
        # The tokens of word k are entries [first[k], first[k] + count[k]) of starts and ends.
        self._numbers: dict[str, int] = {}
        self._first = array("q")
        self._count = array("q")
        self._starts = array("q")
        self._ends = array("q")
        self._characters = 0

    def offsets(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        """Starts and ends of the content tokens, the empty ones left out.

        Returns:
            Code points, in order, two arrays of int64 of shape `(tokens,)`.
        """
        starts, ends = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for base, block in _blocks(text):
            with self._lock:
                block_starts, block_ends = self._of_block(base, block)
            starts.append(block_starts)
            ends.append(block_ends)
        return np.concatenate(starts), np.concatenate(ends)

    def _of_block(self, base: int, block: str) -> tuple[np.ndarray, np.ndarray]:
        words = block.replace("\n", " ").split(" ")
        self._learn(set(words))
        lengths = np.fromiter(map(len, words), np.int64, len(words))
        numbers = np.fromiter(map(self._numbers.__getitem__, words), np.int64, len(words))
        count = np.frombuffer(self._count, np.int64)[numbers]
        before = np.cumsum(count) - count
        token = np.arange(count.sum())
        token += np.repeat(np.frombuffer(self._first, np.int64)[numbers] - before, count)
        # Behind every word but the last stands one space or line break.
        place = np.repeat(base + np.cumsum(lengths + 1) - lengths - 1, count)
        starts = np.frombuffer(self._starts, np.int64)[token] + place
        ends = np.frombuffer(self._ends, np.int64)[token] + place
        if self._characters > MOST_CHARACTERS:
            self._drop_all()
        return starts, ends

    def _learn(self, words: set[str]) -> None:
        """Keep the tokens of the words that are new, encoding each part that is new once."""
        parts = {
            word: [word] if self._added.search(word) else _PART.findall(word)
            for word in words.difference(self._numbers)
        }
        new = {part for found in parts.values() for part in found}.difference(self._numbers)
        self._encode(list(new))
        for word, found in parts.items():
            if word not in new:
                self._keep(word, list(self._joined(found)))

    def _encode(self, words: Sequence[str]) -> None:
        """Keep the tokens of words, many of which are encoded as one text."""
        some = [words[i : i + WORDS_AT_ONCE] for i in range(0, len(words), WORDS_AT_ONCE)]
        encodings = self._fast.encode_batch(list(map(" ".join, some)), add_special_tokens=False)
        for held, encoding in zip(some, encodings, strict=True):
            lengths = np.fromiter(map(len, held), np.int64, len(held))
            places = np.cumsum(lengths + 1) - lengths - 1
            spans = np.array(encoding.offsets, np.int64).reshape(-1, 2)
            spans = spans[spans[:, 1] > spans[:, 0]]
            owner = np.searchsorted(places, spans[:, 0], side="right") - 1
            spans -= places[owner, None]
            count = np.bincount(owner, minlength=len(held))
            number = len(self._first)
            self._numbers.update(zip(held, range(number, number + len(held)), strict=True))
            self._first.extend((len(self._starts) + np.cumsum(count) - count).tolist())
            self._count.extend(count.tolist())
            self._starts.extend(spans[:, 0].tolist())
            self._ends.extend(spans[:, 1].tolist())
            self._characters += int(lengths.sum())

    def _keep(self, word: str, offsets: Sequence[tuple[int, int]]) -> None:
        self._numbers[word] = len(self._first)
        self._first.append(len(self._starts))
        self._count.append(len(offsets))
        self._starts.extend(start for start, _ in offsets)
        self._ends.extend(end for _, end in offsets)
        self._characters += len(word)

    def _joined(self, parts: Sequence[str]) -> Iterator[tuple[int, int]]:
        """The offsets of a word, from those of its parts."""
        place = 0
        for part in parts:
            number = self._numbers[part]
            first = self._first[number]
            for token in range(first, first + self._count[number]):
                yield self._starts[token] + place, self._ends[token] + place
            place += len(part)


def _blocks(text: str) -> Iterator[tuple[int, str]]:
    """Parts of the text that end in front of a space or a line break, each with its place."""
    start = 0
    while start < len(text):
        edge = _BLOCK_EDGE.search(text, start + BLOCK_CHARACTERS)
        end = edge.start() if edge else len(text)
        yield start, text[start:end]
        start = end
