"""Metrics per question as matrices: a row per configuration and metric, a column per question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

KEYS = ("config_id", "label_kind", "metric", "k", "token_budget")


@dataclass(frozen=True)
class QuestionMatrix:
    """Metrics that are defined over the same questions.

    Attributes:
        keys: `config_id, label_kind, metric, k, token_budget`, one row per row of `values`.
        questions: ids of the columns, ascending.
        values: shape `(rows, questions)`, NaN where a question has no value.
    """

    keys: pa.Table
    questions: list[str]
    values: np.ndarray

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {question: position for position, question in enumerate(self.questions)}

    def columns_of(self, questions: Iterable[str]) -> np.ndarray:
        """Ascending positions of those of `questions` that are in the matrix."""
        known = self._positions
        return np.array(sorted(known[q] for q in questions if q in known), dtype=np.intp)


def question_matrices(metrics: Any) -> Iterator[QuestionMatrix]:
    """One matrix per label kind, and one for the questions that have no answer.

    Args:
        metrics: relation with `config_id, label_kind, question_id, metric, k, token_budget,
            value`, one row per question; rows without a value are left out.
    """
    columns = ", ".join([*KEYS, "question_id", "value"])
    table = metrics.filter("value is not null").select(columns).to_arrow_table()
    without_answer = pc.equal(table["metric"], "no_answer_accuracy")
    for label_kind in sorted(pc.unique(table["label_kind"]).to_pylist()):
        of_kind = pc.equal(table["label_kind"], label_kind)
        for population in (pc.and_not(of_kind, without_answer), pc.and_(of_kind, without_answer)):
            part = table.filter(population)
            if part.num_rows:
                yield _matrix(part)


def _matrix(table: pa.Table) -> QuestionMatrix:
    parts, distinct = zip(*(_codes(table[name]) for name in KEYS), strict=True)
    shape = tuple(len(values) for values in distinct)
    combined = np.ravel_multi_index(parts, shape)
    present = np.bincount(combined, minlength=int(np.prod(shape))) > 0
    rows = (np.cumsum(present) - 1)[combined]
    chosen = np.unravel_index(np.flatnonzero(present), shape)
    keys = {
        name: values.take(pa.array(codes))
        for name, values, codes in zip(KEYS, distinct, chosen, strict=True)
    }
    columns, questions = _codes(table["question_id"])
    values = np.full((int(present.sum()), len(questions)), np.nan)
    values[rows, columns] = table["value"].to_numpy()
    return QuestionMatrix(pa.table(keys), questions.to_pylist(), values)


def _codes(column: pa.ChunkedArray) -> tuple[np.ndarray, pa.Array]:
    """The place of every value among the sorted distinct ones (null last), and those."""
    encoded = column.combine_chunks().dictionary_encode(null_encoding="encode")
    order = pc.array_sort_indices(encoded.dictionary)
    places = np.empty(len(order), dtype=np.intp)
    places[order.to_numpy()] = np.arange(len(order))
    return places[encoded.indices.to_numpy()], encoded.dictionary.take(order)
