"""Paired tests of metrics that are not just found or missed: ranks, precision, tokens."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa

from chunk_bakeoff.intervals import SEED, bootstrap_means
from chunk_bakeoff.matrices import KEYS, question_matrices

RESAMPLES = 1_999
# 2 ** 13 sign patterns are fewer than the resamples, so they are gone through one by one.
EXACT_QUESTIONS = 13

GRADED_SCHEMA = pa.schema(
    [
        pa.field("config_a", pa.string()),
        pa.field("config_b", pa.string()),
        pa.field("label_kind", pa.string()),
        pa.field("metric", pa.string()),
        pa.field("k", pa.int32()),
        pa.field("token_budget", pa.int32()),
        pa.field("questions", pa.int64()),
        pa.field("mean_a", pa.float64()),
        pa.field("mean_b", pa.float64()),
        pa.field("difference", pa.float64()),
        pa.field("ci_low", pa.float64()),
        pa.field("ci_high", pa.float64()),
        pa.field("p_value", pa.float64()),
    ]
)


def sign_flip_p_values(differences: np.ndarray, *, seed: int = SEED) -> np.ndarray:
    """Two-sided p-values of the paired permutation test of each row's mean (Fisher 1935).

    Under the null a question's difference could as well have the other sign. Up to
    `EXACT_QUESTIONS` questions all sign patterns are gone through, above that `RESAMPLES` random
    ones, the same for all rows, the observed one counted in (Phipson and Smyth 2010). It is
    `scipy.stats.permutation_test(permutation_type="samples")` for many rows at once.

    Args:
        differences: shape `(rows, questions)`.
        seed: of the random patterns.

    Returns:
        Shape `(rows,)`.
    """
    questions = differences.shape[1]
    observed = np.abs(differences.sum(axis=1))
    # Equal sums may differ in their last bits.
    limit = observed - 1e-9 * np.maximum(1.0, observed)
    if questions <= EXACT_QUESTIONS:
        signs = np.array(list(product((-1.0, 1.0), repeat=questions)))
        return (np.abs(differences @ signs.T) >= limit[:, None]).mean(axis=1)
    random = np.random.default_rng(seed)
    as_extreme = np.ones(len(differences))
    for size in _batches(RESAMPLES, 1_000):
        signs = random.choice((-1.0, 1.0), size=(size, questions))
        as_extreme += (np.abs(differences @ signs.T) >= limit[:, None]).sum(axis=1)
    return as_extreme / (RESAMPLES + 1)


def _batches(total: int, size: int) -> list[int]:
    return [min(size, total - start) for start in range(0, total, size)]


def graded_table(metrics: Any, pairs: Any) -> pa.Table:
    """Mean difference, bootstrap interval and permutation p-value of every pair and metric.

    Args:
        metrics: relation with `config_id, label_kind, question_id, metric, k, token_budget,
            value`, one row per question, no gaps between configurations.
        pairs: relation with `config_a, config_b, label_kind`.
    """
    asked: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for label_kind, a, b in pairs.select("label_kind, config_a, config_b").fetchall():
        asked[label_kind].append((a, b))
    tables = []
    for matrix in question_matrices(metrics):
        keys = list(zip(*(matrix.keys[name].to_pylist() for name in KEYS), strict=True))
        rows = {key: row for row, key in enumerate(keys)}
        label_kind = keys[0][1]
        tested = [
            (a, b, *cutoff)
            for cutoff in dict.fromkeys(key[1:] for key in keys)
            for a, b in sorted(asked[label_kind])
        ]
        if tested:
            a = matrix.values[[rows[a, *cutoff] for a, _, *cutoff in tested]]
            b = matrix.values[[rows[b, *cutoff] for _, b, *cutoff in tested]]
            tables.append(_tested(tested, a, b))
    return pa.concat_tables(tables) if tables else GRADED_SCHEMA.empty_table()


def _tested(keys: Sequence[tuple[Any, ...]], a: np.ndarray, b: np.ndarray) -> pa.Table:
    bounds = bootstrap_means(a - b)
    columns = [
        *zip(*keys, strict=True),
        np.full(len(keys), a.shape[1]),
        a.mean(axis=1),
        b.mean(axis=1),
        (a - b).mean(axis=1),
        bounds[:, 0],
        bounds[:, 1],
        sign_flip_p_values(a - b),
    ]
    return pa.table(dict(zip(GRADED_SCHEMA.names, columns, strict=True)), schema=GRADED_SCHEMA)
