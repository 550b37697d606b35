from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats


def sign_test(run_model, counts: pd.DataFrame) -> dict[tuple[int, int], float]:
    rows = run_model("int_sign_test", {"int_paired_counts": counts})
    return {(row.fewer, row.flips): row.p_value for row in rows.itertuples()}


def test_the_sign_test_agrees_with_scipy_on_random_tables(run_model):
    random = np.random.default_rng(20260101)
    sizes = np.concatenate([np.full(400, 12), np.full(400, 200), np.full(200, 5000)])
    a_only = random.integers(0, sizes)
    counts = pd.DataFrame({"a_only": a_only, "b_only": random.binomial(sizes - a_only, 0.5)})
    found = sign_test(run_model, counts)
    for a, b in counts.itertuples(index=False):
        expected = stats.binomtest(min(a, b), a + b, 0.5).pvalue if a + b else 1.0
        assert found[min(a, b), a + b] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("a_only", "b_only", "expected"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (3, 3, 1.0),
        (5, 0, 2 / 32),
        # 2 * (1 + 14) / 2 ** 14
        (13, 1, 30 / 16384),
        # 2 * (1 + 7 + 21) / 2 ** 7
        (5, 2, 58 / 128),
    ],
)
def test_the_sign_test_by_hand(run_model, a_only, b_only, expected):
    found = sign_test(run_model, pd.DataFrame({"a_only": [a_only], "b_only": [b_only]}))
    assert found[min(a_only, b_only), a_only + b_only] == pytest.approx(expected, abs=1e-12)


def comparison_inputs(p_values: dict[tuple[str, str], float], best: str) -> dict[str, pd.DataFrame]:
    """One cutoff, one slice; every pair has flips of its own, so that each has its p-value."""
    names = sorted({name for pair in p_values for name in pair})
    pairs = [(a, b, flips) for flips, (a, b) in enumerate(p_values, 1)]
    whole = {"label_kind": "span", "slice_kind": "all", "slice_value": "all", "cutoff_number": 1}
    ranking = {"retriever": "dense", "embedding_model": "m", "delivery": "plain"}
    return {
        "int_paired_counts": pd.DataFrame(
            [
                {"config_a": a, "config_b": b, "a_only": flips, "b_only": 0, **whole}
                for a, b, flips in pairs
            ]
        ),
        "int_sign_test": pd.DataFrame(
            [{"fewer": 0, "flips": flips, "p_value": p_values[a, b]} for a, b, flips in pairs]
        ),
        "int_config_pairs": pd.DataFrame(
            [
                {
                    "config_a": a,
                    "config_b": b,
                    "is_same_strategy": False,
                    "is_with_baseline": "baseline" in (a, b),
                }
                for a, b, _ in pairs
            ]
        ),
        "int_configurations": pd.DataFrame(
            [{"config_id": name, "strategy": name, **ranking} for name in names]
        ),
        "int_best_configs": pd.DataFrame([{"config_id": best, "value": 1.0, **whole, **ranking}]),
    }


def test_holm_by_hand_within_each_family(run_model):
    p_values = {
        ("a", "baseline"): 0.01,
        ("b", "baseline"): 0.04,
        ("baseline", "best"): 0.03,
        ("a", "best"): 0.5,
        ("b", "best"): 0.9,
        ("a", "b"): 0.001,
    }
    rows = run_model("int_comparison_families", comparison_inputs(p_values, best="best"))
    found = {(r.family, r.config_a, r.config_b): r.p_value_holm for r in rows.itertuples()}
    assert found == pytest.approx(
        {
            # 3 * 0.01, 2 * 0.03, and 1 * 0.04 that may not fall below 0.06
            ("baseline", "a", "baseline"): 0.03,
            ("baseline", "baseline", "best"): 0.06,
            ("baseline", "b", "baseline"): 0.06,
            # 3 * 0.03, 2 * 0.5, and 0.9 that may not fall below 1
            ("best", "baseline", "best"): 0.09,
            ("best", "a", "best"): 1.0,
            ("best", "b", "best"): 1.0,
        },
        abs=1e-12,
    )


def test_holm_rejects_as_the_step_down_rule_does(run_model):
    random = np.random.default_rng(7)
    names = [f"s{number:02}" for number in range(12)]
    p_values = {
        ("baseline", name): float(p) for name, p in zip(names, random.random(12) / 4, strict=True)
    }
    rows = run_model("int_comparison_families", comparison_inputs(p_values, best="none"))
    rows = rows[rows["family"] == "baseline"].sort_values("p_value")
    # Holm's rule in its other form: reject while p <= level / (m - i).
    for level in (0.01, 0.05, 0.2, 0.6):
        rejected = 0
        for i, p in enumerate(sorted(p_values.values())):
            if p > level / (12 - i):
                break
            rejected += 1
        assert (rows["p_value_holm"] <= level).sum() == rejected
