"""The number of questions that the decision asks for, against the exact power of the test."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import pytest
from jinja2 import Template
from scipy import stats

MACRO = Path(__file__).resolve().parents[3] / "macros" / "settings" / "questions_for_sign_test.sql"


def questions_needed(wins: int, losses: int, questions: int) -> float | None:
    """The macro's expression, rendered by Jinja itself."""
    template = Template(
        MACRO.read_text() + "{{ questions_for_sign_test(wins, losses, questions) }}"
    )
    expression = template.render(wins=wins, losses=losses, questions=questions)
    return duckdb.execute(f"select {expression}").fetchone()[0]


def exact_power(total: int, flip_share: float, win_share: float) -> float:
    """Chance that the sign test at 5 % is significant, over the number of flips and of wins."""
    power = 0.0
    for flips in range(total + 1):
        chance = stats.binom.pmf(flips, total, flip_share)
        if chance < 1e-12:
            continue
        fewer = np.arange(flips + 1)
        tail = np.minimum(1.0, 2 * stats.binom.cdf(np.minimum(fewer, flips - fewer), flips, 0.5))
        power += chance * stats.binom.pmf(fewer[tail < 0.05], flips, win_share).sum()
    return power


@pytest.mark.parametrize(("wins", "losses", "questions"), [(13, 1, 53), (12, 4, 53), (30, 18, 200)])
def test_that_many_questions_have_about_the_promised_power(wins, losses, questions):
    total = int(questions_needed(wins, losses, questions))
    power = exact_power(total, (wins + losses) / questions, wins / (wins + losses))
    # The formula is a normal approximation; the exact test is somewhat conservative.
    assert 0.75 <= power <= 0.82


def test_without_a_gap_no_number_is_enough():
    assert questions_needed(4, 4, 53) is None
