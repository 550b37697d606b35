"""Scoring pairs of question and passage with a cross-encoder."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from chunk_bakeoff.batches import BatchFunction
from chunk_bakeoff.errors import UserError
from chunk_bakeoff.lexical import lexical_units
from chunk_bakeoff.packaged import model_path

RERANK_SCHEMA = pa.schema(
    [
        pa.field("reranker", pa.string(), nullable=False),
        pa.field("pair_key", pa.string(), nullable=False),
        pa.field("score", pa.float64(), nullable=False),
        pa.field("seconds", pa.float64(), nullable=False),
    ]
)

# From pairs of question and passage to their scores, higher is better.
PairScorer = Callable[[Sequence[tuple[str, str]]], Sequence[float]]


def pair_scorer(name: str, settings: Mapping[str, Any]) -> PairScorer:
    """The function that a reranker scores with.

    Args:
        name: of the reranker, for messages.
        settings: `model`, a folder or `package:NAME`, and `provider`: `cross_encoder` (default),
            or `overlap`, which needs no model and serves tests alone.

    Raises:
        UserError: the provider is unknown or the model is not there.
    """
    provider = settings.get("provider", "cross_encoder")
    if provider == "overlap":
        return _overlap
    if provider != "cross_encoder":
        raise UserError(
            f"rerankers, {name}: provider {provider!r} is unknown; known: cross_encoder, overlap"
        )
    try:
        folder = model_path(str(settings["model"]))
    except UserError as error:
        raise UserError(f"rerankers, {name}: {error}") from error
    from sentence_transformers import CrossEncoder

    model = CrossEncoder(str(folder), device="cpu", local_files_only=True)
    return lambda pairs: model.predict(list(pairs), show_progress_bar=False).tolist()


def _overlap(pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Share of the passage's distinct units that the question holds."""
    scores = []
    for question, passage in pairs:
        units = set(lexical_units(passage))
        scores.append(len(units & set(lexical_units(question))) / max(len(units), 1))
    return scores


def reranker(settings: Mapping[str, Mapping[str, Any]]) -> BatchFunction:
    """A function from batches (reranker, pair_key, question, passage) to `RERANK_SCHEMA`.

    `seconds` is each pair's share of its batch's time; loading the model is not counted. A model
    is loaded when its first pair comes.

    Args:
        settings: of every reranker, by name.
    """
    scorers: dict[str, PairScorer] = {}

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            by_reranker: dict[str, list[Mapping[str, str]]] = {}
            for row in batch.to_pylist():
                by_reranker.setdefault(row["reranker"], []).append(row)
            for name, rows in by_reranker.items():
                if name not in scorers:
                    scorers[name] = pair_scorer(name, settings[name])
                started = time.perf_counter()
                scores = scorers[name]([(row["question"], row["passage"]) for row in rows])
                seconds = (time.perf_counter() - started) / len(rows)
                yield pa.RecordBatch.from_pydict(
                    {
                        "reranker": [name] * len(rows),
                        "pair_key": [row["pair_key"] for row in rows],
                        "score": [float(score) for score in scores],
                        "seconds": [seconds] * len(rows),
                    },
                    schema=RERANK_SCHEMA,
                )

    return run
