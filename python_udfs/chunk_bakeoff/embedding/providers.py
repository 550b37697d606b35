"""Encoders behind one small interface: texts in, vectors out."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from chunk_bakeoff.embedding.declared import DeclaredModel
from chunk_bakeoff.embedding.late import check_mean_pooling, pool
from chunk_bakeoff.errors import UserError
from chunk_bakeoff.packaged import model_path
from chunk_bakeoff.text import Span


class Encoder(Protocol):
    """Turns texts into vectors of the model's dimensions, one row per text, in order."""

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Vectors of shape `(len(texts), dimensions)`, float32, of length 1."""
        ...


def load_encoder(model: DeclaredModel) -> Encoder:
    """The encoder of a declared model; this is what loads weights.

    Raises:
        UserError: the provider is unknown or the model's files are missing.
    """
    factory = _PROVIDERS.get(model.provider)
    if factory is None:
        raise UserError(
            f"embedding model {model.name!r}: unknown provider {model.provider!r}; "
            f"known: {', '.join(sorted(_PROVIDERS))}"
        )
    return factory(model)


class SentenceTransformersEncoder:
    """A local sentence-transformers model, float32."""

    def __init__(self, model: DeclaredModel) -> None:
        # Importing torch takes seconds: only where there is something to encode.
        from sentence_transformers import SentenceTransformer
        from transformers.utils.logging import disable_progress_bar

        # The bar for the file of weights would only break the lines of a log.
        disable_progress_bar()
        self._model = SentenceTransformer(str(model_path(model.source)))
        self._model.max_seq_length = model.max_tokens

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """See `Encoder`."""
        return self._model.encode(
            list(texts),
            batch_size=len(texts),
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        )

    def encode_late(
        self, windows: Sequence[str], spans: Sequence[Sequence[Span]]
    ) -> list[np.ndarray]:
        """Vectors of spans in windows, each window encoded once; see `pool`.

        Returns:
            For each window an array of shape `(its spans, dimensions)`.

        Raises:
            UserError: the model does not average its token vectors.
        """
        check_mean_pooling(self._model)
        tokens = self._model.encode(
            list(windows),
            batch_size=len(windows),
            output_value="token_embeddings",
            show_progress_bar=False,
        )
        offsets = self._model.tokenizer(
            list(windows),
            truncation=True,
            max_length=self._model.max_seq_length,
            return_offsets_mapping=True,
        )["offset_mapping"]
        return [
            pool(vectors.cpu().numpy(), places, window, wanted)
            for vectors, places, window, wanted in zip(tokens, offsets, windows, spans, strict=True)
        ]


class HashingEncoder:
    """Words hashed to signed dimensions: deterministic, instant, without any meaning.

    For tests and dry runs of the pipeline. Its numbers say nothing about quality.
    """

    def __init__(self, model: DeclaredModel) -> None:
        self._dimensions = model.dimensions

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """See `Encoder`."""
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


_PROVIDERS: dict[str, Callable[[DeclaredModel], Encoder]] = {
    "sentence_transformers": SentenceTransformersEncoder,
    "hashing": HashingEncoder,
}
