"""Paired tests of metrics that are not just found or missed: ranks, precision, tokens."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from chunk_bakeoff.intervals import SEED, bootstrap_means

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
    keys = ["label_kind", "metric", "k", "token_budget"]
    frame = metrics.to_arrow_table().to_pandas()
    wanted = pairs.to_arrow_table().to_pandas().sort_values(["label_kind", "config_a", "config_b"])
    if frame.empty or wanted.empty:
        return GRADED_SCHEMA.empty_table()
    # Missing k and budgets would otherwise drop out of the groups.
    frame[["k", "token_budget"]] = frame[["k", "token_budget"]].fillna(-1).astype(int)
    tables = []
    for (label_kind, metric, k, token_budget), part in frame.groupby(keys, sort=True):
        wide = part.pivot(index="config_id", columns="question_id", values="value")
        asked = wanted[wanted["label_kind"] == label_kind]
        if asked.empty:
            continue
        a, b = wide.loc[asked["config_a"]].to_numpy(), wide.loc[asked["config_b"]].to_numpy()
        bounds = bootstrap_means(a - b)
        tables.append(
            pd.DataFrame(
                {
                    "config_a": asked["config_a"].to_numpy(),
                    "config_b": asked["config_b"].to_numpy(),
                    "label_kind": label_kind,
                    "metric": metric,
                    "k": k,
                    "token_budget": token_budget,
                    "questions": wide.shape[1],
                    "mean_a": a.mean(axis=1),
                    "mean_b": b.mean(axis=1),
                    "difference": (a - b).mean(axis=1),
                    "ci_low": bounds[:, 0],
                    "ci_high": bounds[:, 1],
                    "p_value": sign_flip_p_values(a - b),
                }
            )
        )
    result = pd.concat(tables) if tables else pd.DataFrame(columns=GRADED_SCHEMA.names)
    for column in ("k", "token_budget"):
        result[column] = result[column].where(result[column] >= 0).astype("Int32")
    return pa.Table.from_pandas(result, schema=GRADED_SCHEMA, preserve_index=False)
