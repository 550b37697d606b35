"""Words hashed to signed dimensions, for tests and dry runs: the vectors mean nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from chunk_bakeoff.embedding.declared import DeclaredModel
from chunk_bakeoff.embedding.providers import Encoder, no_options


def identity(model: DeclaredModel) -> bytes:
    """See `chunk_bakeoff.embedding.providers.Provider`."""
    no_options(model)
    return hashlib.sha256(model.source.encode()).digest()


def load(model: DeclaredModel) -> Encoder:
    """See `chunk_bakeoff.embedding.providers.Provider`."""
    return HashingEncoder(model)


class HashingEncoder:
    """Deterministic and instant, without any meaning: its numbers say nothing about quality."""

    def __init__(self, model: DeclaredModel) -> None:
        self._dimensions = model.dimensions

    def encode(self, texts: Sequence[str], text_kind: str = "passage") -> np.ndarray:
        """See `chunk_bakeoff.embedding.providers.Encoder`."""
        vectors = np.zeros((len(texts), self._dimensions), dtype=np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            self._add(vector, text.lower().split())
            # No words, or words that cancel out.
            if not vector.any():
                self._add(vector, [text])
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def _add(self, vector: np.ndarray, words: Sequence[str]) -> None:
        for word in words:
            digest = hashlib.blake2b(word.encode(), digest_size=8).digest()
            column = int.from_bytes(digest[:4], "little") % self._dimensions
            vector[column] += 1.0 if digest[4] & 1 else -1.0
