"""The marts about the golden set, worked out by hand."""

from __future__ import annotations

import re

import pandas as pd
import pytest
import yaml

from chunk_bakeoff.project import project_folder

QUESTIONS = pd.DataFrame(
    [
        ("easy", "wh", "tune", "Where is the key?"),
        ("hard", "wh", "holdout", "Who may enter?"),
        ("copied", "keyword", "tune", "red key opens gate two"),
    ],
    columns=["question_id", "question_form", "split", "question"],
)
QUOTES = {
    "easy": "In the drawer.",
    "hard": "Only the night porter.",
    # Four of the five words of its question.
    "copied": "The red key opens the gate.",
}
SPANS = pd.DataFrame(
    [(question, "span", 1, "d", quote) for question, quote in QUOTES.items()],
    columns=["question_id", "label_kind", "span_index", "doc_id", "quote"],
)


def test_questions_that_are_too_easy_too_hard_or_copied(run_model):
    ranks = {"easy": (1, 1), "hard": (None, 11), "copied": (1, 2)}
    outcomes = pd.DataFrame(
        [
            {"config_id": config, "question_id": question, "label_kind": "span"}
            | {"complete_at_rank": rank}
            for question, found in ranks.items()
            for config, rank in zip("ab", found, strict=True)
        ]
    ).astype({"complete_at_rank": "Int64"})
    similar = pd.DataFrame(
        [("copied", "easy", 0.7), ("easy", "copied", 0.6)],
        columns=["question_id", "similar_id", "similarity"],
    )
    rows = run_model(
        "rpt_golden_questions",
        {
            "stg_questions": QUESTIONS,
            "stg_golden_spans": SPANS,
            "int_question_outcomes": outcomes,
            "int_similar_questions": similar,
        },
    ).set_index("question_id")
    assert rows["found_first"].to_dict() == {"easy": 2, "hard": 0, "copied": 1}
    assert rows["found"].to_dict() == {"easy": 2, "hard": 0, "copied": 2}
    # easy shares "the" of four words with its evidence, hard nothing, copied four of five.
    assert rows["copied_share"].to_dict() == {"easy": 0.25, "hard": 0.0, "copied": 0.8}
    flags = {
        "is_too_easy": "easy",
        "is_too_hard": "hard",
        "is_leaking": "copied",
        "has_near_duplicate": "copied",
    }
    for flag, question in flags.items():
        assert rows.index[rows[flag]].to_list() == [question], flag


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("stg_questions", "question", "Who may leave?"),
        ("stg_questions", "split", "holdout"),
        ("stg_questions", "groups", ["people"]),
        ("stg_questions", "answerable", False),
        ("base_golden_spans", "quote", "Only the porter."),
        ("base_golden_spans", "occurrence", 2),
        ("base_golden_spans", "doc_id", "e"),
    ],
)
def test_the_hash_of_the_question_set_changes_with_what_decides_a_number(
    run_model, table, column, value
):
    inputs = {
        "stg_documents": pd.DataFrame([{"doc_id": "d", "content_sha256": "x", "text": "four"}]),
        "stg_questions": pd.DataFrame(
            [{"question_id": "q", "question": "Who may enter?", "question_form": "wh"}]
        ).assign(language="en", split="tune", tenant="", groups=[["public"]], tags=[["gate"]]),
        "base_golden_spans": pd.DataFrame(
            [{"question_id": "q", "label_kind": "span", "span_index": 1, "doc_id": "d"}]
        ).assign(quote="Only the night porter.", section=None, occurrence=1, char_start=None),
    }
    inputs["stg_questions"]["answerable"] = True
    (first,) = run_model("int_corpus", inputs).itertuples()
    assert (first.documents, first.characters) == (1, 4)
    changed = inputs[table].copy()
    changed.at[0, column] = value
    (second,) = run_model("int_corpus", {**inputs, table: changed}).itertuples()
    assert second.question_set_hash != first.question_set_hash
    assert second.corpus_hash == first.corpus_hash


def test_quotes_that_repeat_and_anchors_that_credit_too_much(run_model):
    spans = pd.DataFrame(
        [
            ("q1", "span", "ok", 1),
            ("q2", "span", "ambiguous", 2),
            ("q3", "anchor", "ok", 1),
            ("q4", "anchor", "ok", 3),
        ],
        columns=["question_id", "label_kind", "status", "occurrence_count"],
    ).assign(span_index=1, doc_id="d", quote="four words and more")
    rows = run_model("rpt_golden_spans", {"stg_golden_spans": spans}).set_index("question_id")
    assert set(rows["characters"]) == {19}
    assert rows.index[rows["is_repeated"]].to_list() == ["q2"]
    assert rows.index[rows["over_credits"]].to_list() == ["q4"]


def test_every_type_of_document_meets_every_form_of_question(run_model):
    inputs = {
        "stg_questions": QUESTIONS,
        "stg_documents": pd.DataFrame(
            {"doc_id": ["d", "e", "f"], "doc_type": ["faq"] * 2 + ["log"]}
        ),
        "int_question_slices": pd.DataFrame(
            [(question, "doc_type", "faq") for question in QUOTES],
            columns=["question_id", "slice_kind", "slice_value"],
        ),
        "int_question_labels": pd.DataFrame(
            {"question_id": list(QUOTES), "standing": ["scored", "unresolved", "scored"]}
        ),
    }
    rows = run_model("rpt_golden_coverage", inputs)
    counted = ["documents", "questions", "scored", "holdout", "is_gap", "is_too_small"]
    found = {(r.doc_type, r.question_form): tuple(r[counted]) for _, r in rows.iterrows()}
    # The least size of a slice is 20 questions.
    assert found == {
        ("faq", "wh"): (2, 2, 1, 1, False, True),
        ("faq", "keyword"): (2, 1, 1, 0, False, True),
        ("log", "wh"): (1, 0, 0, 0, True, True),
        ("log", "keyword"): (1, 0, 0, 0, True, True),
    }


def test_seeds_about_the_bundled_corpus_go_with_it():
    def variables(text: str) -> set[str]:
        return set(re.findall(r"var\('(\w+)'\)", text))

    project = project_folder()
    macro = (project / "macros" / "settings" / "is_bundled_corpus.sql").read_text("utf-8")
    seeds = yaml.safe_load(
        (project / "seeds" / "verdict" / "_verdict__seeds.yml").read_text("utf-8")
    )
    enabled = {seed["name"]: seed["config"].get("enabled", "") for seed in seeds["seeds"]}
    # YAML cannot call the macro, so that both name the settings.
    assert variables(enabled["hypotheses"]) == variables(macro)
    assert variables(enabled["search_failures"]) == variables(macro)
