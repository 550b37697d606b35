"""Bootstrap intervals of means over questions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

SEED = 20260101
RESAMPLES = 1000
CONFIDENCE = 0.95

# Means over other questions for every configuration, which resamples cannot be shared by.
WITHOUT_INTERVAL = ("last_evidence_rank",)

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

    All rows share their resamples, which keeps differences between rows comparable.

    Args:
        values: shape `(rows, questions)`, without NaN, at least one question.
        seed: of the resampling; the same seed gives the same interval.

    Returns:
        Shape `(rows, 2)`: lower and upper bound.
    """
    questions = values.shape[1]
    random = np.random.default_rng(seed)
    weights = random.multinomial(questions, np.full(questions, 1 / questions), size=RESAMPLES)
    means = values @ weights.T / questions
    tail = (1 - CONFIDENCE) / 2
    return np.quantile(means, [tail, 1 - tail], axis=1).T


def interval_table(metrics: Any, slices: Any) -> pa.Table:
    """Intervals for every configuration, metric and slice.

    Args:
        metrics: relation with `config_id, label_kind, question_id, metric, k, token_budget,
            value`, one row per question.
        slices: relation with `question_id, slice_kind, slice_value`.
    """
    keys = ["config_id", "label_kind", "metric", "k", "token_budget"]
    frame = metrics.to_arrow_table().to_pandas()
    frame = frame[frame["value"].notna() & ~frame["metric"].isin(WITHOUT_INTERVAL)]
    if frame.empty:
        return INTERVAL_SCHEMA.empty_table()
    # Missing k and budgets would otherwise drop out of the index.
    frame[["k", "token_budget"]] = frame[["k", "token_budget"]].fillna(-1).astype(int)
    membership = slices.to_arrow_table().to_pandas().sort_values("question_id")
    tables = []
    # Metrics that are defined over the same questions make one matrix without gaps.
    frame["population"] = frame["label_kind"] + frame["metric"].eq("no_answer_accuracy").astype(str)
    for _, part in frame.groupby("population", sort=True):
        wide = part.pivot(index=keys, columns="question_id", values="value")
        for (kind, value), members in membership.groupby(["slice_kind", "slice_value"], sort=True):
            questions = wide.columns.intersection(members["question_id"])
            if questions.empty:
                continue
            bounds = bootstrap_means(wide[questions].to_numpy())
            tables.append(
                wide.index.to_frame(index=False).assign(
                    slice_kind=kind, slice_value=value, ci_low=bounds[:, 0], ci_high=bounds[:, 1]
                )
            )
    result = pd.concat(tables) if tables else pd.DataFrame(columns=INTERVAL_SCHEMA.names)
    for column in ("k", "token_budget"):
        result[column] = result[column].where(result[column] >= 0).astype("Int32")
    return pa.Table.from_pandas(
        result[INTERVAL_SCHEMA.names], schema=INTERVAL_SCHEMA, preserve_index=False
    )
