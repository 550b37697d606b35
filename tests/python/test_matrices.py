from __future__ import annotations

import duckdb
import numpy as np

from chunk_bakeoff.matrices import question_matrices

METRICS = """
    select * replace (cast(value as double) as value) from (values
        ('b', 'span', 'q2', 'recall', 3, null, 0.25),
        ('a', 'span', 'q2', 'recall', 1, null, 0.5),
        ('a', 'span', 'q1', 'recall_at_budget', null, 500, 1.0),
        ('a', 'span', 'q1', 'recall', 1, null, 0.0),
        ('a', 'anchor', 'q1', 'recall', 1, null, 0.75),
        ('a', 'span', 'q1', 'mrr', 1, null, null),
        ('a', 'span', 'q3', 'no_answer_accuracy', null, null, 1.0)
    ) as t (config_id, label_kind, question_id, metric, k, token_budget, value)
"""


def test_every_population_has_its_matrix():
    with duckdb.connect() as connection:
        anchor, span, without_answer = question_matrices(connection.sql(METRICS))
    assert (anchor.questions, anchor.values.tolist()) == (["q1"], [[0.75]])
    assert (without_answer.questions, without_answer.values.tolist()) == (["q3"], [[1.0]])
    assert span.questions == ["q1", "q2"]
    rows = {
        tuple(key.values()): row
        for key, row in zip(span.keys.to_pylist(), span.values, strict=True)
    }
    missing = np.nan
    assert list(rows) == [
        ("a", "span", "recall", 1, None),
        ("a", "span", "recall_at_budget", None, 500),
        ("b", "span", "recall", 3, None),
    ]
    np.testing.assert_array_equal(
        list(rows.values()), [[0.0, 0.5], [1.0, missing], [missing, 0.25]]
    )


def test_columns_are_found_by_question():
    with duckdb.connect() as connection:
        _, span, _ = question_matrices(connection.sql(METRICS))
    assert span.columns_of(["q2", "q9", "q1"]).tolist() == [0, 1]
    assert span.columns_of([]).size == 0


def test_without_values_there_is_no_matrix():
    with duckdb.connect() as connection:
        metrics = connection.sql(f"select * from ({METRICS}) where value is null")
        assert list(question_matrices(metrics)) == []
