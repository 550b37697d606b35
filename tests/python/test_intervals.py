import duckdb
import numpy as np
import pytest
from scipy import stats

from chunk_bakeoff.intervals import INTERVAL_SCHEMA, bootstrap_means, interval_table


def test_a_constant_has_no_width():
    assert bootstrap_means(np.full((2, 7), 0.25)).tolist() == [[0.25, 0.25]] * 2
    assert bootstrap_means(np.array([[3.0]])).tolist() == [[3.0, 3.0]]


def test_the_same_seed_gives_the_same_interval():
    values = np.arange(20.0).reshape(1, 20)
    assert (bootstrap_means(values) == bootstrap_means(values)).all()
    assert (bootstrap_means(values, seed=1) != bootstrap_means(values, seed=2)).any()


def test_rows_share_their_resamples():
    values = np.random.default_rng(0).random((1, 30))
    both = bootstrap_means(np.vstack([values, values + 1.0]))
    assert np.allclose(both[1] - both[0], 1.0)


def test_half_zeros_and_ones():
    # The mean of 400 has a standard error of 0.5 / 20 = 0.025.
    (interval,) = bootstrap_means(np.array([[0.0, 1.0] * 200]))
    # 1,000 resamples place a 2.5 % quantile to about 0.003.
    assert interval == pytest.approx([0.5 - 1.96 * 0.025, 0.5 + 1.96 * 0.025], abs=0.006)


def test_scipy_gives_the_same_interval():
    values = np.random.default_rng(3).gamma(2.0, 100.0, size=53)
    expected = stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(4)
    ).confidence_interval
    (interval,) = bootstrap_means(values[np.newaxis])
    # Against the noise of 1,000 resamples: a fifth of a standard error.
    noise = values.std() / np.sqrt(53) / 5
    assert interval == pytest.approx([expected.low, expected.high], abs=noise)


def test_a_question_without_a_value_is_drawn_and_left_out():
    values = np.array([[1.0, 3.0, np.nan], [2.0, 2.0, np.nan], [np.nan] * 3])
    found = bootstrap_means(values)
    # Of 27 draws 1 holds no value; 7 of the others hold the 1 alone, and 7 the 3 alone.
    assert found[0].tolist() == [1.0, 3.0]
    assert found[1].tolist() == [2.0, 2.0]
    assert np.isnan(found[2]).all()


METRICS = """
    select * replace (cast(value as double) as value) from (values
        ('a', 'span', 'q1', 'recall', 1, null, 1.0),
        ('a', 'span', 'q2', 'recall', 1, null, 0.0),
        ('a', 'span', 'q1', 'recall_at_budget', null, 500, 1.0),
        ('a', 'span', 'q2', 'recall_at_budget', null, 500, 1.0),
        ('a', 'span', 'q3', 'no_answer_accuracy', null, null, 0.0),
        ('b', 'span', 'q1', 'recall', 1, null, 0.5),
        ('b', 'span', 'q2', 'recall', 1, null, 0.5),
        ('b', 'span', 'q3', 'no_answer_accuracy', null, null, null)
    ) as t (config_id, label_kind, question_id, metric, k, token_budget, value)
"""
SLICES = """
    select * from (values
        ('q1', 'all', 'all'), ('q2', 'all', 'all'), ('q3', 'all', 'all'),
        ('q2', 'tag', 'hard'), ('q3', 'tag', 'hard'), ('q9', 'tag', 'unused')
    ) as t (question_id, slice_kind, slice_value)
"""


def test_intervals_by_configuration_metric_and_slice():
    with duckdb.connect() as connection:
        table = interval_table(connection.sql(METRICS), connection.sql(SLICES))
    assert table.schema == INTERVAL_SCHEMA
    keys = ("slice_value", "config_id", "metric", "k", "token_budget")
    rows = {tuple(row[key] for key in keys): row for row in table.to_pylist()}
    assert len(rows) == table.num_rows
    bounds = {key: (row["ci_low"], row["ci_high"]) for key, row in rows.items()}
    assert bounds == {
        # Two questions, one found: resamples reach from none to all.
        ("all", "a", "recall", 1, None): (0.0, 1.0),
        ("all", "b", "recall", 1, None): (0.5, 0.5),
        ("all", "a", "recall_at_budget", None, 500): (1.0, 1.0),
        ("all", "a", "no_answer_accuracy", None, None): (0.0, 0.0),
        ("hard", "a", "recall", 1, None): (0.0, 0.0),
        ("hard", "b", "recall", 1, None): (0.5, 0.5),
        ("hard", "a", "recall_at_budget", None, 500): (1.0, 1.0),
        ("hard", "a", "no_answer_accuracy", None, None): (0.0, 0.0),
    }


def test_nothing_to_measure():
    with duckdb.connect() as connection:
        nothing = connection.sql(f"select * from ({METRICS}) where false")
        only_null = connection.sql(f"select * from ({METRICS}) where value is null")
        no_slice = connection.sql(f"select * from ({SLICES}) where slice_value = 'unused'")
        for metrics, slices in (
            (nothing, connection.sql(SLICES)),
            (only_null, connection.sql(SLICES)),
            (connection.sql(METRICS), no_slice),
        ):
            table = interval_table(metrics, slices)
            assert (table.num_rows, table.schema) == (0, INTERVAL_SCHEMA)
