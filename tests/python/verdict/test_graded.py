from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from chunk_bakeoff.verdict.graded import sign_flip_p_values


def scipy_p_value(differences: np.ndarray, resamples: float) -> float:
    result = stats.permutation_test(
        (differences,),
        lambda x, axis: x.mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=resamples,
        rng=np.random.default_rng(5),
    )
    return result.pvalue


def test_few_questions_give_the_exact_p_value_of_scipy():
    random = np.random.default_rng(3)
    rows = random.normal(0.3, 1, size=(20, 9))
    expected = [scipy_p_value(row, np.inf) for row in rows]
    assert sign_flip_p_values(rows) == pytest.approx(expected, abs=1e-12)


def test_by_hand():
    # Of the 8 sign patterns of (1, 2, 3) two sum to 6 or -6; of (1, 1, 0) four to 2 or -2.
    found = sign_flip_p_values(np.array([[1.0, 2.0, 3.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]))
    assert found == pytest.approx([2 / 8, 4 / 8, 1.0])


def test_many_questions_come_close_to_scipy_and_repeat_exactly():
    random = np.random.default_rng(4)
    rows = random.normal(0.1, 1, size=(6, 200))
    found = sign_flip_p_values(rows)
    expected = np.array([scipy_p_value(row, 1_999) for row in rows])
    # Each is a share of 2,000 patterns: four standard errors of the difference of two.
    assert np.all(np.abs(found - expected) <= 4 * np.sqrt(2 * expected * (1 - expected) / 2e3))
    assert np.array_equal(found, sign_flip_p_values(rows))
