"""One embedding run: everything that has no vector gets one, or a reason why not."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from chunk_bakeoff.embedding.batching import MOST_PADDING, PendingText, batches
from chunk_bakeoff.embedding.declared import DeclaredModel, encoding_models
from chunk_bakeoff.embedding.late import encode_texts
from chunk_bakeoff.embedding.progress import Progress, Say, dbt_say
from chunk_bakeoff.embedding.providers import Encoder, ProviderUnavailable, load_encoder
from chunk_bakeoff.embedding.store import Store, Tables
from chunk_bakeoff.embedding.vectors import check_dimensions, defect
from chunk_bakeoff.errors import UserError
from chunk_bakeoff.text import is_blank

RUN_SCHEMA = pa.schema(
    [
        pa.field("run_id", pa.string()),
        pa.field("embedding_model", pa.string()),
        pa.field("model_revision", pa.string()),
        pa.field("texts_embedded", pa.int64()),
        pa.field("texts_failed", pa.int64()),
    ]
)


def embed_pending(
    connection: Any,
    tables: Tables,
    settings: Sequence[Mapping[str, Any]],
    *,
    run_id: str,
    say: Say = dbt_say,
    load: Callable[[DeclaredModel], Encoder] = load_encoder,
) -> pa.Table:
    """Embed every text whose `embedded_at` is null, model by model.

    Batches are durable as soon as they finish: a run that is stopped loses at most one. With
    nothing to do no model is loaded.

    Args:
        connection: a DuckDB connection.
        tables: where texts and vectors lie.
        settings: the declared embedding models.
        run_id: stamped on everything this run writes.
        say: receives lines of progress.
        load: gives the encoder of a model.

    Returns:
        One row per model: texts embedded and texts set aside in this run.

    Raises:
        ValueError: a model's vectors are not as long as declared.
        ProviderUnavailable: a provider cannot encode anything now; finished batches stay.
    """
    store = Store(connection, tables, run_id)
    rows = []
    for model in encoding_models(settings):
        revision = model.revision()
        embedded, failed = _embed_model(store, model, revision, say, load)
        rows.append(
            {
                "run_id": run_id,
                "embedding_model": model.name,
                "model_revision": revision,
                "texts_embedded": embedded,
                "texts_failed": failed,
            }
        )
    return pa.Table.from_pylist(rows, schema=RUN_SCHEMA)


def _embed_model(
    store: Store,
    model: DeclaredModel,
    revision: str,
    say: Say,
    load: Callable[[DeclaredModel], Encoder],
) -> tuple[int, int]:
    total = store.pending_count(model, revision)
    if total == 0:
        return 0, 0
    encoder = load(model)
    check_dimensions(model, encoder.encode(["dimension check"]))
    progress = Progress(f"embedding with {model.name}", total, say)
    embedded = failed = 0
    for batch in batches(
        store.pending(model, revision),
        batch_tokens=model.batch_tokens,
        max_tokens=model.max_tokens,
        most_padding=MOST_PADDING if getattr(encoder, "computes_padding", False) else 1.0,
    ):
        began = time.monotonic()
        texts, vectors, failures = encode_batch(encoder, model, batch)
        store.save(model, revision, texts, vectors, failures, time.monotonic() - began)
        embedded += len(texts)
        failed += len(failures)
        progress.add(len(batch))
    return embedded, failed


def encode_batch(
    encoder: Encoder, model: DeclaredModel, batch: Sequence[PendingText]
) -> tuple[list[PendingText], np.ndarray, list[tuple[PendingText, str]]]:
    """Encode a batch; what cannot be encoded is set aside with its reason.

    A batch that the encoder refuses is halved until the text to blame stands alone.

    Returns:
        The texts that got a vector, their vectors `(n, dimensions)`, and (text, reason) of the
        others.

    Raises:
        ProviderUnavailable: see `Encoder`.
    """
    failures = [(text, "the text is empty") for text in batch if is_blank(text.text)]
    usable = [text for text in batch if not is_blank(text.text)]
    outcomes = _encode(encoder, usable)
    stored: list[PendingText] = []
    vectors: list[np.ndarray] = []
    for text, outcome in zip(usable, outcomes, strict=True):
        reason = outcome if isinstance(outcome, str) else _refusal(outcome, model)
        if reason is None:
            stored.append(text)
            vectors.append(outcome)
        else:
            failures.append((text, reason))
    matrix = np.asarray(vectors, dtype=np.float32).reshape(len(stored), model.dimensions)
    return stored, matrix, failures


def _encode(encoder: Encoder, texts: Sequence[PendingText]) -> list[np.ndarray | str]:
    """A vector or the reason for its absence, per text."""
    if not texts:
        return []
    try:
        vectors = encode_texts(encoder, texts)
        if len(vectors) != len(texts):
            raise ValueError(f"{len(vectors)} vectors for {len(texts)} texts")
        return vectors
    except (ProviderUnavailable, UserError):
        raise
    except Exception as error:
        # Whatever a model raises, it must not take the rest of the batch with it.
        if len(texts) == 1:
            return [f"{type(error).__name__}: {error}"]
        middle = len(texts) // 2
        return _encode(encoder, texts[:middle]) + _encode(encoder, texts[middle:])


def _refusal(vector: np.ndarray, model: DeclaredModel) -> str | None:
    if vector.shape != (model.dimensions,):
        return f"the vector has dimension {vector.size} instead of {model.dimensions}"
    return defect(vector)
