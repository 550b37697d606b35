"""The steps between the outcomes and the verdict, worked out by hand."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pandas as pd
import pytest

RANKING = {"retriever": "dense", "embedding_model": "m", "delivery": "plain"}
WHOLE = {"label_kind": "span", "slice_kind": "all", "slice_value": "all"}
# The default cut-offs: k = 5 and a budget of 1000.
CUTOFFS = pd.DataFrame(
    [(1, "recall", 5, None, False), (2, "recall_at_budget", None, 1000, True)],
    columns=["cutoff_number", "metric", "k", "token_budget", "is_primary"],
).astype({"k": "Int64", "token_budget": "Int64"})


def outcomes(*rows: tuple) -> pd.DataFrame:
    """Configuration, question, rank and tokens at which it is complete."""
    names = ["config_id", "question_id", "complete_at_rank", "complete_at_tokens"]
    frame = pd.DataFrame(rows, columns=names).assign(label_kind="span")
    return frame.astype({"complete_at_rank": "Int64", "complete_at_tokens": "Int64"})


def test_flips_name_the_question_and_both_first_results(run_model):
    given = outcomes(
        ("a", "never", 1, 100),
        ("b", "never", None, None),
        ("a", "both", 5, 1000),
        ("b", "both", 2, 90),
        # Within 5 results only b finds it, within 1000 tokens only a.
        ("a", "split", 6, 900),
        ("b", "split", 5, 1001),
    )
    retrievals = pd.DataFrame(
        [("a", "never"), ("a", "split"), ("b", "split")], columns=["config_id", "question_id"]
    ).assign(rank=1, doc_id="d", chunk_id="1", context_start=0, context_end=9)
    retrievals["strategy"] = retrievals["config_id"]
    questions = pd.DataFrame({"question_id": ["never", "both", "split"]}).assign(question="Who?")
    evidence = questions[["question_id"]].assign(label_kind="span", span_index=1, doc_id="gold")
    chunks = pd.DataFrame({"strategy": ["a", "b"], "chunk_id": "1"})
    rows = run_model(
        "fct_flips",
        {
            "int_config_pairs": pd.DataFrame([{"config_a": "a", "config_b": "b"}]),
            "int_cutoffs": CUTOFFS,
            "int_question_outcomes": given,
            "stg_questions": questions,
            "stg_golden_spans": pd.concat(
                [evidence.assign(quote="first"), evidence.assign(span_index=2, quote="second")]
            ),
            "int_chunks": chunks.assign(context_text=chunks["strategy"] * 200),
            "fct_retrievals": retrievals,
        },
    )
    found = {(r.config_found, r.question_id, r.metric) for r in rows.itertuples()}
    assert found == {
        ("a", "never", "recall"),
        ("a", "never", "recall_at_budget"),
        ("b", "split", "recall"),
        ("a", "split", "recall_at_budget"),
    }
    assert len(rows) == 4
    assert set(rows["quote"]) == {"first"}
    split = rows[(rows["question_id"] == "split") & (rows["metric"] == "recall")].iloc[0]
    assert (split["found_at_rank"], split["missed_until_rank"]) == (5, 6)
    assert (split["found_top_excerpt"], split["missed_top_excerpt"]) == ("b" * 160, "a" * 160)
    # A retriever may return nothing.
    assert rows[rows["question_id"] == "never"]["missed_top_doc_id"].isna().all()


def test_a_pair_in_both_families_keeps_the_larger_value_and_stands_in_both_directions(run_model):
    pair = {"config_a": "a", "config_b": "b", "cutoff_number": 1}
    counts = {"a_only": 5, "b_only": 2, "in_both": 30, "in_neither": 16}
    families = [("best", 0.9, "all"), ("baseline", 0.6, "all"), ("best", 1.0, "split")]
    rows = run_model(
        "fct_comparisons",
        {
            "int_paired_counts": pd.DataFrame(
                [
                    {**WHOLE, **pair, **counts},
                    {**WHOLE, **pair, **counts, "slice_kind": "split", "slice_value": "tune"},
                    {**WHOLE, **pair, **counts, "config_b": "c"},
                ]
            ),
            "int_cutoffs": CUTOFFS,
            "int_sign_test": pd.DataFrame([{"fewer": 2, "flips": 7, "p_value": 58 / 128}]),
            "int_comparison_families": pd.DataFrame(
                [
                    {**pair, "label_kind": "span", "family": name, "p_value_holm": p}
                    | {"slice_kind": kind}
                    for name, p, kind in families
                ]
            ),
        },
    ).set_index(["config_a", "config_b", "slice_kind"])
    there, back = rows.loc[("a", "b", "all")], rows.loc[("b", "a", "all")]
    assert (there["a_only"], there["b_only"], there["both"], there["neither"]) == (5, 2, 30, 16)
    assert (back["a_only"], back["b_only"], back["both"], back["neither"]) == (2, 5, 30, 16)
    for row in (there, back):
        assert (row["family"], row["p_value_holm"]) == ("baseline+best", 0.9)
        assert row["p_value"] == 58 / 128
    for key in (("a", "b", "split"), ("a", "c", "all")):
        assert rows.loc[key, "family"] == "exploratory"
        assert pd.isna(rows.loc[key, "p_value_holm"])


def test_of_equals_the_best_is_the_cheapest(run_model):
    # Equal but for the last bit; then tokens at the default budget, then the name.
    values = {"a": (0.1 + 0.2, 900.0), "b": (0.3, 800.0), "c": (0.3, 800.0), "d": (0.2, 1.0)}
    rows = [
        {"config_id": name, "metric": metric, "k": None, "token_budget": 1000, "value": value}
        for name, (recall, tokens) in values.items()
        for metric, value in (("recall_at_budget", recall), ("context_tokens_at_budget", tokens))
    ]
    metrics = pd.DataFrame(rows).assign(**WHOLE, **RANKING).astype({"k": "Int64"})
    best = run_model("int_best_configs", {"fct_metrics": metrics, "int_cutoffs": CUTOFFS})
    assert best[["config_id", "cutoff_number"]].to_numpy().tolist() == [["b", 2]]


def test_the_choice_is_made_on_tune_where_a_holdout_can_confirm_it(run_model):
    slices = [("span", "all"), ("span", "tune"), ("span", "holdout")]
    slices += [("anchor", "all"), ("anchor", "tune")]
    candidates = pd.DataFrame(slices, columns=["label_kind", "slice_value"]).assign(questions=9)
    rows = run_model("int_decision_slices", {"int_decision_candidates": candidates})
    assert rows.set_index("label_kind")["chosen_on"].to_dict() == {"span": "tune", "anchor": "all"}


@pytest.mark.parametrize(
    ("differences", "rival", "is_provisional", "questions"),
    [
        # (1.96 * 0.5 / (0.05 - 0.01)) ** 2 = 600.2: 601 questions, of which there are 100.
        ([("r", 0.01, 0.08, 0.5), ("s", -0.02, 0.04, 0.5)], "r", True, 501),
        # It ends at the limit.
        ([("r", 0.01, 0.05, 0.5)], "r", False, 0),
        # The loss itself is beyond: more questions settle nothing.
        ([("r", 0.05, 0.12, 0.5)], "r", True, None),
        # 25 questions would do, were the formula exact; there are 100.
        ([("r", 0.01, 0.06, 0.1)], "r", True, 1),
        ([], None, False, None),
    ],
)
def test_a_choice_is_provisional_while_a_rival_may_be_better_by_more_than_the_limit(
    run_model, differences, rival, is_provisional, questions
):
    candidates = pd.DataFrame(
        [("w", 1, "tune"), ("v", 2, "tune"), ("v", 1, "all")],
        columns=["config_id", "place", "slice_value"],
    ).assign(label_kind="span", slice_kind="split", context_tokens=900.0, **RANKING)
    names = ["rival_id", "loss", "loss_ci_high", "spread"]
    against = pd.DataFrame(differences, columns=names).assign(
        config_id="w", label_kind="span", slice_kind="split", slice_value="tune", questions=100
    )
    (row,) = run_model(
        "int_decision_winners",
        {
            "int_decision_candidates": candidates.assign(strategy=candidates["config_id"]),
            "int_decision_slices": pd.DataFrame([{"label_kind": "span", "chosen_on": "tune"}]),
            "int_primary_differences": against,
        },
    ).to_dict("records")
    assert row["config_id"] == "w"
    assert (row["rival_id"] if rival else None) == rival
    assert row["is_provisional"] == is_provisional
    assert (None if pd.isna(row["questions_to_settle"]) else row["questions_to_settle"]) == (
        questions
    )


def test_the_span_that_arrives_last_explains_the_miss(run_model):
    spans = pd.DataFrame(
        [
            ("late", 1, 7, 700, "span"),
            ("late", 2, 4, 400, "span"),
            ("never", 1, 1, 100, "span"),
            ("never", 2, None, None, "span"),
            ("found", 1, 5, 500, "span"),
            ("late", 3, None, None, "anchor"),
        ],
        columns=["question_id", "span_index", "found_at_rank", "found_at_tokens", "label_kind"],
    ).astype({"found_at_rank": "Int64", "found_at_tokens": "Int64"})
    given = [("late", 2), ("found", 1), ("found", 2)]
    found = pd.DataFrame(given, columns=["question_id", "cutoff_number"])
    rows = run_model(
        "int_missed_spans",
        {
            "int_configurations": pd.DataFrame([{"config_id": "c", "strategy": "s", **RANKING}]),
            "fct_span_outcomes": spans.assign(config_id="c", doc_id="d"),
            "int_found_questions": found.assign(config_id="c", label_kind="span"),
            "int_cutoffs": CUTOFFS,
        },
    )
    missed = {(r.question_id, r.metric): r.span_index for r in rows.itertuples()}
    assert missed == {
        ("late", "recall"): 1,
        ("never", "recall"): 2,
        ("never", "recall_at_budget"): 2,
    }


def test_the_filling_stops_at_the_first_context_that_does_not_fit(run_model):
    retrievals = pd.DataFrame(
        [("q1", 400), ("q1", 900), ("q1", 1300), ("q2", 501)],
        columns=["question_id", "cumulative_tokens"],
    ).assign(config_id="c")
    labels = pd.DataFrame({"question_id": ["q1", "q2", "nothing", "out"], "label_kind": "span"})
    labels["standing"] = ["scored", "scored", "scored", "unanswerable"]
    rows = run_model(
        "int_question_budgets",
        {
            "int_configurations": pd.DataFrame([{"config_id": "c"}]),
            "int_question_labels": labels,
            "fct_retrievals": retrievals,
        },
    )
    # The default budgets are 500, 1000 and 2000.
    assert {(r.question_id, r.token_budget): r.value for r in rows.itertuples()} == {
        ("q1", 500): 400,
        ("q1", 1000): 900,
        ("q1", 2000): 1300,
        ("q2", 500): 0,
        ("q2", 1000): 501,
        ("q2", 2000): 501,
        **{("nothing", budget): 0 for budget in (500, 1000, 2000)},
    }


def test_of_the_replays_the_latest_of_this_corpus_and_these_settings_counts(run_model):
    def replay(day: int, to_embed: int, **others: Any) -> dict[str, Any]:
        row = {"corpus_hash": "c", "strategy": "s", "settings": "{}", "edit": "change_word"}
        row |= {"documents": 1, "texts": 8, "texts_to_embed": to_embed}
        return {**row, "replayed_at": datetime(2026, 1, day), **others}

    replays = [replay(1, 8), replay(2, 2), replay(3, 4, corpus_hash="old")]
    replays += [replay(4, 6, settings='{"size": 9}')]
    rows = run_model(
        "int_edit_shares",
        {
            "edit_replays": pd.DataFrame(replays),
            "int_corpus": pd.DataFrame([{"corpus_hash": "c"}]),
            "int_chunks": pd.DataFrame([{"strategy": "s", "settings": "{}"}] * 2),
        },
    )
    assert rows[["strategy", "edit", "share"]].to_numpy().tolist() == [["s", "change_word", 0.25]]


def test_a_slice_of_fewer_than_twenty_questions_is_marked(run_model):
    metrics = pd.DataFrame({"slice_value": ["small", "large"], "n_scored": [19, 20]})
    rows = run_model("rpt_slices", {"fct_metrics": metrics}).set_index("slice_value")
    assert rows["is_too_small"].to_dict() == {"small": True, "large": False}
