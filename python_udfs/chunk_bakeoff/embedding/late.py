"""Late chunking: token vectors of a window, averaged inside each chunk.

Günther, Mohr, Williams, Wang, Xiao (2024): Late chunking: contextual chunk embeddings using
long-context embedding models.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from chunk_bakeoff.embedding.batching import PendingText
from chunk_bakeoff.errors import UserError
from chunk_bakeoff.text import Span


def encode_texts(encoder: Any, texts: Sequence[PendingText]) -> list[np.ndarray]:
    """One vector per text, ordinary or pooled from a window that is encoded once.

    Args:
        encoder: see `chunk_bakeoff.embedding.providers.Encoder`; windows need its `encode_late`.
        texts: all of one kind; those of one window stand side by side.

    Raises:
        UserError: a text is a window, and the encoder gives no token vectors.
    """
    ordinary = [text for text in texts if text.pool_start is None]
    pooled = [text for text in texts if text.pool_start is not None]
    if not pooled:
        return list(encoder.encode([text.text for text in texts], texts[0].text_kind))
    if not hasattr(encoder, "encode_late"):
        raise UserError(
            "late chunking needs the token vectors of the model, and this provider gives none; "
            "use the provider sentence_transformers, or take the strategies with late_chunking "
            "out of the setting `strategies`"
        )
    windows: dict[str, list[Span]] = {}
    for text in pooled:
        windows.setdefault(text.text, []).append(Span(text.pool_start or 0, text.pool_end or 0))
    pools = dict(
        zip(windows, encoder.encode_late(list(windows), list(windows.values())), strict=True)
    )
    found: dict[int, np.ndarray] = {}
    for text in pooled:
        spans = windows[text.text]
        place = spans.index(Span(text.pool_start or 0, text.pool_end or 0))
        found[id(text)] = pools[text.text][place]
    if ordinary:
        vectors = encoder.encode([text.text for text in ordinary], ordinary[0].text_kind)
        found.update({id(text): vector for text, vector in zip(ordinary, vectors, strict=True)})
    return [found[id(text)] for text in texts]


def pool(
    tokens: np.ndarray, offsets: Sequence[tuple[int, int]], text: str, spans: Sequence[Span]
) -> np.ndarray:
    """The mean of the token vectors that touch each span, of length 1.

    A span that reaches the start or the end of the text takes in the special tokens there, so
    that a span over the whole text gives the ordinary vector of a mean-pooling model.

    Args:
        tokens: shape `(tokens, dimensions)`, the special ones included.
        offsets: characters of each token; empty for special tokens.
        text: what was encoded.
        spans: of the chunks in it.

    Returns:
        Shape `(len(spans), dimensions)`.

    Raises:
        ValueError: no token touches a span.
    """
    edges = np.asarray(offsets[: len(tokens)], dtype=np.int64).reshape(-1, 2)
    is_special = edges[:, 0] == edges[:, 1]
    number = np.arange(len(edges))
    vectors = []
    for start, end in spans:
        touched = ~is_special & (edges[:, 0] < end) & (edges[:, 1] > start)
        if not touched.any():
            raise ValueError(f"the model has no token for [{start}, {end}) of its window")
        if start <= 0:
            touched |= is_special & (number < number[~is_special].min())
        if end >= len(text):
            touched |= is_special & (number > number[~is_special].max())
        mean = tokens[touched].mean(axis=0)
        vectors.append(mean / np.linalg.norm(mean))
    return np.asarray(vectors, dtype=np.float32)


def check_mean_pooling(model: Any) -> None:
    """Refuse a sentence-transformers model whose vector is not the mean of its tokens.

    Raises:
        UserError: names how the model pools instead.
    """
    kinds = [type(module).__name__ for module in model]
    pooling = next((module for module in model if type(module).__name__ == "Pooling"), None)
    how = str(getattr(pooling, "pooling_mode", "none"))
    if how != "mean" or set(kinds) - {"Transformer", "Pooling", "Normalize"}:
        raise UserError(
            f"late chunking averages token vectors, and this model pools by {how!r} with the "
            f"modules {kinds}; use a mean-pooling model, or take the strategies with late_chunking "
            "out of the setting `strategies`"
        )
