"""A sentence-transformers model from a package, a folder or the hub, in float32."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chunk_bakeoff.embedding.declared import DeclaredModel
from chunk_bakeoff.embedding.late import check_mean_pooling, pool
from chunk_bakeoff.embedding.providers import Encoder, no_options
from chunk_bakeoff.embedding.providers.files import check_limit, files_digest
from chunk_bakeoff.packaged import model_path
from chunk_bakeoff.text import Span


def identity(model: DeclaredModel) -> bytes:
    """See `chunk_bakeoff.embedding.providers.Provider`."""
    no_options(model)
    return files_digest(model.source)


def load(model: DeclaredModel) -> Encoder:
    """See `chunk_bakeoff.embedding.providers.Provider`."""
    check_limit(model)
    return SentenceTransformersEncoder(model)


class SentenceTransformersEncoder:
    """Encodes a batch in one pass; batches arrive sorted by length."""

    computes_padding = True

    def __init__(self, model: DeclaredModel) -> None:
        # Importing torch takes seconds: only where there is something to encode.
        from sentence_transformers import SentenceTransformer
        from transformers.utils.logging import disable_progress_bar

        # The bar for the file of weights would only break the lines of a log.
        disable_progress_bar()
        self._model = SentenceTransformer(str(model_path(model.source)))
        self._model.max_seq_length = model.max_tokens

    def encode(self, texts: Sequence[str], text_kind: str = "passage") -> np.ndarray:
        """See `chunk_bakeoff.embedding.providers.Encoder`."""
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
