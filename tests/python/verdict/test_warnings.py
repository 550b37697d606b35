"""Warnings, triggers, ceilings and the workflow for failures, worked out by hand."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pandas as pd
import pytest

RANKING = {"label_kind": "span", "retriever": "dense", "embedding_model": "m", "delivery": "plain"}


def decided(name: str, role: str, value: float, **others: Any) -> dict[str, Any]:
    row = {
        "config_id": name,
        "strategy": name,
        "role": role,
        "best_strategy": "best",
        "value": value,
        "questions": 100,
        "chosen_on": "tune",
        "gained": 2,
        "lost": 4,
        "p_value_holm": 0.001,
        "questions_to_resolve": 0,
        "holdout_questions": 40,
        "holdout_loss": 0.0,
        "holdout_is_eligible": True,
        **RANKING,
    }
    return {**row, **others}


BEST = decided("best", "eligible", 0.9, gained=0, lost=0, p_value_holm=1.0)
WINNER = decided("winner", "recommended", 0.88)
BASELINE = decided("fixed_128_0", "rejected", 0.6)


def warnings(run_model, *rows: dict[str, Any], over_limit: int = 0) -> dict[str, str]:
    decision = pd.DataFrame(rows).astype({"questions_to_resolve": "Int64"})
    boards = decision[["config_id", "label_kind"]].assign(chunks=14, over_limit_chunks=over_limit)
    inputs = {
        "rpt_decision": decision,
        "int_configurations": decision[["config_id", "strategy"]],
        "rpt_strategy_leaderboard": boards,
    }
    found = run_model("rpt_decision_warnings", inputs)
    return dict(zip(found["warning"], found["sentence"], strict=True))


def test_a_choice_without_doubt_has_no_warning(run_model):
    assert warnings(run_model, BEST, WINNER, BASELINE) == {}


def test_chunks_that_the_model_reads_in_part_are_told(run_model):
    found = warnings(run_model, BEST, WINNER, BASELINE, over_limit=4)
    assert list(found) == ["chunks_cut_off"]
    assert "m reads only the beginning of 4 of the 14 chunks of winner:" in found["chunks_cut_off"]


@pytest.mark.parametrize(
    ("change", "warning", "words"),
    [
        (
            {"holdout_is_eligible": False, "holdout_loss": 0.075},
            "tune_and_holdout_disagree",
            "winner was chosen on tune, but on holdout it loses 0.075 against the best (40 quest",
        ),
        (
            {"holdout_questions": None, "holdout_is_eligible": None, "holdout_loss": None},
            "no_holdout",
            "No question is held out",
        ),
        # 1.96 * sqrt(0.2 / 20) = 0.196
        (
            {"questions": 20},
            "few_questions",
            "rests on 20 questions; under 50 a difference of less",
        ),
        ({"questions": 20}, "few_questions", "less than about 0.20 cannot be seen"),
        (
            {"p_value_holm": 0.3},
            "cannot_tell_apart",
            "100 questions cannot tell 1 of 2 strategies apart from best: winner.",
        ),
        (
            {"questions_to_resolve": 210},
            "gap_unresolved",
            "between winner and best (2 against 4 questions) would need about 210 more questions",
        ),
    ],
)
def test_each_doubt_has_its_warning(run_model, change, warning, words):
    found = warnings(run_model, BEST, {**WINNER, **change}, BASELINE)
    assert list(found) == [warning]
    assert words in found[warning]


def test_the_best_is_held_against_the_next_that_differs(run_model):
    best = {**BEST, "role": "recommended", "questions_to_resolve": None}
    same = decided("same", "eligible", 0.9, gained=1, lost=1, questions_to_resolve=None)
    third = decided("third", "eligible", 0.88, questions_to_resolve=210)
    fourth = decided("fourth", "rejected", 0.6, questions_to_resolve=50)
    found = warnings(run_model, best, fourth, same, third, BASELINE)
    assert found["gap_unresolved"] == (
        "The gap between best and the next that differs, third (4 against 2 questions), would need "
        "about 210 more questions for a power of 80 %."
    )


def test_many_variants_equal_recall_and_a_missing_baseline_are_warned_of(run_model):
    many = [decided(f"s{number}", "rejected", 0.5) for number in range(4)]
    found = warnings(run_model, BEST, WINNER, *many)
    assert set(found) == {"many_variants", "no_baseline"}
    assert "picked among 6 strategies" in found["many_variants"]
    assert "Holm) over the 5 comparisons" in found["many_variants"]
    equal = warnings(run_model, {**BEST, "value": 0.88}, WINNER, {**BASELINE, "value": 0.88})
    assert "All 3 strategies have the same recall" in equal["budget_separates_nothing"]


def test_triggers_fire_for_what_changed_since_the_reference_run(run_model):
    def documents(run: str, *rows: tuple) -> list[dict[str, Any]]:
        names = ("doc_id", "doc_type", "content_sha256", "characters")
        return [{"run_id": run, **dict(zip(names, row, strict=True))} for row in rows]

    inputs = {
        "int_run": pd.DataFrame({"run_id": ["now"], "run_at": [datetime(2026, 1, 2)]}),
        "int_reference_run": pd.DataFrame({"run_id": ["then"], "run_at": [datetime(2026, 1, 1)]}),
        "fct_document_history": pd.DataFrame(
            documents("then", ("kept", "faq", "a", 600), ("gone", "faq", "b", 100))
            + documents("then", ("renamed", "faq", "d", 600), ("edited", "faq", "e", 100))
            + documents("now", ("kept", "faq", "a", 600), ("new", "log", "c", 200))
            + documents("now", ("other name", "faq", "d", 600), ("edited", "faq", "f", 50))
        ),
        "fct_metric_history": pd.DataFrame(
            [("then", "m", "r1"), ("then", "n", "r1"), ("now", "m", "r2"), ("now", "n", "r1")],
            columns=["run_id", "embedding_model", "model_revision"],
        ),
        "fct_outcome_history": pd.DataFrame(
            [("then", "q1"), ("now", "q1"), ("now", "q2")], columns=["run_id", "question_id"]
        ),
        "int_shipped_outcomes": pd.DataFrame(
            [("q1", 0.5, 1.0), ("q3", 1.0, 0.5)],
            columns=["question_id", "recall", "accepted_recall"],
        ),
    }
    rows = run_model("rpt_reevaluation_triggers", inputs).set_index("trigger")
    # Of 600 + 600 + 100 + 200 + 100 characters of both runs 400 changed; a new name changes none.
    assert rows["measure"].to_dict() == {
        "corpus_drift": 0.25,
        "new_document_types": 1,
        "model_changed": 1,
        "new_questions": 1,
        "new_failures": 1,
    }
    assert rows["is_triggered"].all()
    assert rows["names"].drop("corpus_drift").to_dict() == {
        "new_document_types": "log",
        "model_changed": "m",
        "new_questions": "q2",
        "new_failures": "q1",
    }


@pytest.mark.parametrize(
    ("metrics", "reference"),
    [
        # The last run has other results, or another number of them.
        ([("old", 0.5), ("last", 0.6), ("now", 0.5)], "last"),
        ([("old", 0.5), ("last", 0.5), ("last", 0.6), ("now", 0.5)], "last"),
        ([("old", 0.5), ("last", 0.5), ("now", 0.5), ("now", 0.6)], "last"),
        # The last run is repeated: the one before it differs.
        ([("old", 0.5), ("last", 0.6), ("now", 0.6)], "old"),
        # All are the same.
        ([("old", 0.6), ("last", 0.6), ("now", 0.6)], "last"),
        ([("now", 0.6)], None),
    ],
)
def test_a_repeated_run_is_compared_with_the_last_that_differs(run_model, metrics, reference):
    days = {"old": 1, "last": 2, "now": 3}
    same = {"corpus_hash": "c", "question_set_hash": "q", "config_id": "s", "label_kind": "span"}
    same |= {"model_revision": None, "strategy_version": "1", "settings": "{}", "token_budget": 500}
    same |= {"retriever_settings": "{}"}
    history = pd.DataFrame(
        [{"run_id": run, "k": None, "value": value, **same} for run, value in metrics]
    ).astype({"k": "Int64", "model_revision": "string"})
    history["metric"] = "m" + history.groupby("run_id").cumcount().astype(str)
    outcomes = history[["run_id"]].assign(
        run_at=[datetime(2026, 1, days[run]) for run in history["run_id"]]
    )
    rows = run_model(
        "int_reference_run",
        {
            "fct_outcome_history": outcomes,
            "fct_metric_history": history,
            "int_run": pd.DataFrame({"run_id": ["now"]}),
        },
    )
    assert rows["run_id"].to_list() == ([reference] if reference else [])
    assert not rows["is_accepted"].any()


def test_the_ceiling_separates_cutting_from_ranking(run_model):
    # Whole in one context; in two; cut so that three are needed; never delivered.
    needed = {"q1": 1, "q2": 2, "q3": 3, "q4": None}
    cover = pd.DataFrame(
        [
            {"strategy": "s", "question_id": question, "span_index": 1}
            | {"contexts_for_span": count, "contexts_for_question": count}
            for question, count in needed.items()
        ]
    ).astype({"contexts_for_span": "Int64", "contexts_for_question": "Int64"})
    whole = {"metric": "complete_evidence", "label_kind": "span", "slice_kind": "all"}
    inputs = {
        "int_evidence_cover": cover,
        "int_configurations": pd.DataFrame([{"config_id": "c", "strategy": "s", **RANKING}]),
        "fct_metrics": pd.DataFrame(
            [{"config_id": "c", "k": k, "value": v, **whole} for k, v in ((1, 0.0), (3, 0.5))]
        ),
    }
    rows = run_model("rpt_ceiling", inputs).set_index("k")
    assert rows["whole_share"].to_list() == [0.25, 0.25]
    assert rows["ceiling"].to_dict() == {1: 0.25, 3: 0.75}
    assert rows["lost_by_chunking"].to_dict() == {1: 0.75, 3: 0.25}
    assert rows["lost_by_ranking"].to_dict() == {1: 0.25, 3: 0.25}


def test_a_failure_says_what_is_missing_before_it_is_a_question(run_model):
    text = "The red key opens gate two. Ask the porter. Ask the porter."
    failures = [
        ("f1", "which key", "d", "The red key opens gate two.", "copy"),
        ("f2", "who helps", "d", "Ask the porter.", "the passage occurs more than once"),
        ("f3", "who", "d", "Ask the guard.", "the passage is not in the document"),
        ("f4", "where", "x", "Ask the porter.", "doc_id is unknown"),
        ("f5", "when", None, None, "find the passage that answers"),
        ("f6", "Is it open?", "d", "Ask", "drop: the golden set has this question"),
    ]
    names = ["failure_id", "query", "doc_id", "passage", "next_step"]
    given = pd.DataFrame(failures, columns=names)
    rows = run_model(
        "failures_to_questions",
        {
            "search_failures": given.drop(columns="next_step").assign(question_form="wh"),
            "stg_documents": pd.DataFrame({"doc_id": ["d"], "text": [text]}),
            "stg_questions": pd.DataFrame({"question_id": ["q"], "question": ["is it OPEN?"]}),
        },
    ).set_index("question_id")
    assert set(rows["split"]) == {"holdout"}
    assert set(rows["span_index"]) == {1}
    for name, *_, next_step in failures:
        assert rows.loc[name, "next_step"].startswith(next_step)
