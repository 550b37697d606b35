"""Bootstrap intervals of means over questions."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pyarrow as pa

from chunk_bakeoff.matrices import question_matrices

SEED = 20260101
RESAMPLES = 1000
CONFIDENCE = 0.95

INTERVAL_SCHEMA = pa.schema(
    [
        pa.field("slice_kind", pa.string()),
        pa.field("slice_value", pa.string()),
        pa.field("config_id", pa.string()),
        pa.field("label_kind", pa.string()),
        pa.field("metric", pa.string()),
        pa.field("k", pa.int32()),
        pa.field("token_budget", pa.int32()),
        pa.field("ci_low", pa.float64()),
        pa.field("ci_high", pa.float64()),
    ]
)


def bootstrap_means(values: np.ndarray, *, seed: int = SEED) -> np.ndarray:
    """Percentile bootstrap interval of the mean of each row (Efron 1979).

    All rows share their resamples, which keeps differences between rows comparable. A question
    without a value is drawn like every other and left out of the mean.

    Args:
        values: shape `(rows, questions)`, at least one question; NaN where there is no value.
        seed: of the resampling; the same seed gives the same interval.

    Returns:
        Shape `(rows, 2)`: lower and upper bound; NaN for a row without any value.
    """
    questions = values.shape[1]
    random = np.random.default_rng(seed)
    draws = random.multinomial(questions, np.full(questions, 1 / questions), size=RESAMPLES)
    weights = draws.T.astype(float)
    bounds = np.full((len(values), 2), np.nan)
    has_gap = np.isnan(values).any(axis=1)
    # Rows often repeat: the same questions found. Each is resampled once.
    distinct, inverse = np.unique(values[~has_gap], axis=0, return_inverse=True)
    bounds[~has_gap] = _percentiles(distinct @ weights / questions)[inverse]
    for row in np.flatnonzero(has_gap):
        given = ~np.isnan(values[row])
        drawn = weights[given]
        counts = drawn.sum(axis=0)
        means = (values[row, given] @ drawn)[counts > 0] / counts[counts > 0]
        if means.size:
            bounds[row] = _percentiles(means[np.newaxis])
    return bounds


def _percentiles(means: np.ndarray) -> np.ndarray:
    """Both ends of the interval of each row, as `np.quantile` gives them, by a faster sort."""
    ordered = np.sort(means, axis=1)
    tail = (1 - CONFIDENCE) / 2
    places = np.array([tail, 1 - tail]) * (ordered.shape[1] - 1)
    below = np.floor(places).astype(int)
    above = np.ceil(places).astype(int)
    return ordered[:, below] + (ordered[:, above] - ordered[:, below]) * (places - below)


def interval_table(metrics: Any, slices: Any) -> pa.Table:
    """Intervals for every configuration, metric and slice.

    Args:
        metrics: relation with `config_id, label_kind, question_id, metric, k, token_budget,
            value`, one row per question.
        slices: relation with `question_id, slice_kind, slice_value`.
    """
    members: dict[tuple[str, str], list[str]] = defaultdict(list)
    for kind, value, question in slices.select("slice_kind, slice_value, question_id").fetchall():
        members[kind, value].append(question)
    tables = []
    for matrix in question_matrices(metrics):
        for (kind, value), questions in sorted(members.items()):
            columns = matrix.columns_of(questions)
            if not columns.size:
                continue
            bounds = bootstrap_means(matrix.values[:, columns])
            named = {
                "slice_kind": pa.repeat(kind, len(bounds)),
                "slice_value": pa.repeat(value, len(bounds)),
                **{name: matrix.keys[name] for name in matrix.keys.column_names},
                "ci_low": bounds[:, 0],
                "ci_high": bounds[:, 1],
            }
            given = ~np.isnan(bounds[:, 0])
            tables.append(pa.table(named, schema=INTERVAL_SCHEMA).filter(pa.array(given)))
    return pa.concat_tables(tables) if tables else INTERVAL_SCHEMA.empty_table()
