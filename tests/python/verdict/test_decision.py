"""Costs, roles and sentences of the decision, and hypotheses, worked out by hand."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

RANKING = {"retriever": "dense", "embedding_model": "m", "delivery": "plain"}
WHOLE = {"label_kind": "span", "slice_kind": "all", "slice_value": "all", **RANKING}


def candidate(name: str, value: float, tokens: float, **others: Any) -> dict[str, Any]:
    """A row against `best`, which finds 0.9; eligible where no other flag is given."""
    row = {
        "config_id": name,
        "strategy": name,
        "questions": 100,
        "value": value,
        "best_id": "best",
        "best_value": 0.9,
        "loss": 0.9 - value,
        "loss_ci_low": 0.0,
        "loss_ci_high": 0.1,
        "gained": 1,
        "lost": 2,
        "p_value": 1.0,
        "p_value_holm": 1.0,
        "comparisons": 5,
        "context_tokens": tokens,
        "embed_tokens": 1000,
        "loses_too_much": False,
        "is_significantly_worse": False,
        "is_eligible": True,
        **WHOLE,
    }
    return {**row, **others}


CANDIDATES = pd.DataFrame(
    [
        candidate("best", 0.9, 900.0, gained=0, lost=0),
        candidate("cheap", 0.88, 700.0),
        candidate("same", 0.88, 700.0, embed_tokens=2000),
        candidate("section", 0.87, 950.0),
        candidate(
            *("window", 0.66, 300.0),
            **{"loses_too_much": True, "is_eligible": False, "gained": 3, "lost": 27},
            p_value_holm=0.00002,
        ),
        candidate(
            *("proven", 0.86, 500.0),
            **{"is_significantly_worse": True, "is_eligible": False, "gained": 0, "lost": 9},
            p_value_holm=0.0195,
        ),
    ]
)
WIDE = pd.DataFrame(
    {
        "strategy": CANDIDATES["strategy"],
        "delivers_wider": CANDIDATES["strategy"] == "section",
        "follows_sections": CANDIDATES["strategy"] == "section",
        "mean_context_characters": 500.0,
    }
)


def decision(run_model, winner: dict[str, Any], wide: pd.DataFrame = WIDE) -> pd.DataFrame:
    winners = {**WHOLE, "chosen_on": "all", "is_provisional": False, "questions_to_settle": 0}
    winners |= {"rival_id": "best", "rival_loss_ci_high": 0.04, **winner}
    rows = run_model(
        "rpt_decision",
        {
            "int_decision_candidates": CANDIDATES,
            "int_decision_winners": pd.DataFrame([winners]),
            "int_configurations": CANDIDATES[["config_id", "strategy"]],
            "int_wide_contexts": wide,
        },
    )
    return rows.set_index("strategy")


CHEAP = {"config_id": "cheap", "strategy": "cheap", "context_tokens": 700.0}


def test_every_strategy_has_its_role_and_its_number(run_model):
    rows = decision(run_model, CHEAP)
    assert rows["role"].to_dict() == {
        "best": "eligible",
        "cheap": "recommended",
        "same": "eligible",
        "section": "alternative",
        "window": "rejected",
        "proven": "rejected",
    }
    assert rows["sentence"].to_dict() == {
        "cheap": "Ship cheap: recall 0.880 within 1000 tokens, 0.020 below the best (best, 0.900); "
        "of the 4 eligible it delivers the fewest tokens, 700 a question.",
        "best": "best: eligible, but delivers 900.0 tokens a question where cheap delivers 700.0.",
        "same": "same: eligible, delivers as few tokens as cheap, but needs 2000 tokens embedded.",
        "section": "For whole-section context: section; eligible, but delivers 950.0 tokens a "
        "question where cheap delivers 700.0.",
        "window": "window: loses 0.240 against best (recall 0.660 against 0.900 within 1000 "
        "tokens), more than the 0.05 allowed; it alone finds 3 and misses 27, p < 0.0001 "
        "corrected over 5 comparisons.",
        "proven": "proven: is significantly worse than best: it alone finds 0 and misses 9, "
        "p = 0.0195 corrected over 5 comparisons (recall 0.860 against 0.900 within 1000 tokens).",
    }
    assert not rows["is_provisional"].any()


def test_the_questions_that_would_resolve_a_gap(run_model):
    rows = decision(run_model, CHEAP)
    # 1 against 2 of 100: (1.96 * sqrt(0.03) + 0.842 * sqrt(0.03 - 0.0001)) ** 2 / 0.0001 = 2352.3.
    assert rows.loc["cheap", "questions_to_resolve"] == 2353 - 100
    # 3 against 27 and 0 against 9 of 100 would need 39 and 85.
    assert rows.loc[["window", "proven"], "questions_to_resolve"].to_list() == [0, 0]
    # Without a gap no number is enough.
    assert pd.isna(rows.loc["best", "questions_to_resolve"])


def test_a_choice_that_another_may_beat_is_provisional(run_model):
    unsettled = {"is_provisional": True, "questions_to_settle": 120, "rival_loss_ci_high": 0.071}
    rows = decision(run_model, {**CHEAP, **unsettled})
    assert rows.index[rows["is_provisional"]].to_list() == ["cheap"]
    assert rows.loc["cheap", "sentence"].endswith(
        " Provisional: another strategy may be better by up to 0.071; about 120 more questions "
        "would settle it."
    )
    assert rows.loc["cheap", "questions_to_settle"] == 120


def test_a_winner_that_delivers_wider_needs_no_alternative(run_model):
    sections = WIDE["strategy"].isin(["section", "cheap"])
    wide = WIDE.assign(delivers_wider=sections, follows_sections=sections)
    rows = decision(run_model, CHEAP, wide)
    assert "alternative" not in set(rows["role"])
    assert "so it serves whole-section context too." in rows.loc["cheap", "sentence"]


def test_neighbours_of_a_sentence_are_no_section(run_model):
    # The winner delivers the neighbours of what it ranks, and knows no headings.
    wide = WIDE.assign(delivers_wider=WIDE["strategy"].isin(["section", "cheap"]))
    rows = decision(run_model, CHEAP, wide)
    assert rows.index[rows["role"] == "alternative"].to_list() == ["section"]
    assert "whole-section context" not in rows.loc["cheap", "sentence"]


def test_without_sections_the_longest_contexts_are_named_as_such(run_model):
    longest = WIDE["mean_context_characters"].where(WIDE["strategy"] != "window", 937.4)
    wide = WIDE.assign(
        delivers_wider=False, follows_sections=False, mean_context_characters=longest
    )
    rows = decision(run_model, CHEAP, wide)
    assert rows.index[rows["role"] == "alternative"].to_list() == ["window"]
    assert rows.loc["window", "sentence"].startswith(
        "No strategy that ran follows sections; for the longest contexts (937 characters): window; "
        "loses 0.240 against best"
    )


def test_contexts_follow_sections_where_half_of_the_units_know_their_headings(run_model):
    chunks = pd.DataFrame(
        [
            # A child in its section, and a section that is one child.
            ("parents", 0, 10, 0, 40, "Keys"),
            ("parents", 40, 80, 40, 80, "Gates"),
            ("sentences", 0, 10, 0, 30, None),
            ("sentences", 10, 20, 0, 40, None),
            ("sections", 0, 40, 0, 40, "Keys"),
        ],
        columns=[
            *("strategy", "char_start", "char_end", "context_start", "context_end"),
            "heading_path",
        ],
    )
    rows = run_model("int_wide_contexts", {"int_chunks": chunks}).set_index("strategy")
    assert rows["mean_context_characters"].to_dict() == {
        "parents": 40,
        "sentences": 35,
        "sections": 40,
    }
    assert rows.index[rows["delivers_wider"]].sort_values().to_list() == ["parents", "sentences"]
    assert rows.index[rows["follows_sections"]].sort_values().to_list() == ["parents", "sections"]


def test_costs_count_a_text_once_and_mark_both_fronts(run_model):
    # name: recall, tokens at the budget, bytes of vectors
    boards = {"a": (0.9, 900.0, 100), "b": (0.9, 800.0, 200), "c": (0.8, 850.0, 50)}
    leaderboard = pd.DataFrame(
        [
            {"config_id": name, "strategy": name, "label_kind": "span", **RANKING, "chunks": 3}
            | {"recall_at_budget": recall, "index_bytes": size}
            | {"context_tokens_at_5": 1.0, "repeated_share_at_5": 0.0}
            for name, (recall, _, size) in boards.items()
        ]
    )
    metrics = pd.DataFrame(
        [
            {"config_id": name, "label_kind": "span", "slice_kind": "all", "token_budget": 1000}
            | {"metric": "context_tokens_at_budget", "value": tokens}
            for name, (_, tokens, _) in boards.items()
        ]
    )
    chunks = pd.DataFrame(
        [("a", "1", "k1", 10), ("a", "2", "k1", 10), ("a", "3", "k2", 30), ("b", "4", "k1", 10)],
        columns=["strategy", "chunk_id", "embedding_key", "token_count"],
    )
    rows = run_model(
        "rpt_strategy_costs",
        {
            "rpt_strategy_leaderboard": leaderboard,
            "int_chunks": chunks,
            "int_chunk_tokens": chunks.assign(embedding_model="m"),
            "int_embedding_models": pd.DataFrame(
                [
                    {"embedding_model": "m", "dimensions": 2, "max_tokens": 25}
                    | {"price_per_million_tokens": 5.0}
                ]
            ),
            "fct_metrics": metrics,
            "int_edit_shares": pd.DataFrame(
                [("a", "insert_section", 0.25), ("a", "change_word", 0.125)],
                columns=["strategy", "edit", "share"],
            ),
        },
    ).set_index("strategy")
    a = rows.loc["a"]
    assert (a["texts_to_embed"], a["tokens_to_embed"]) == (2, 35)
    # 10 and, of 30, the 25 that the model reads.
    assert a["price_to_embed"] == pytest.approx(35 / 1e6 * 5)
    # 900 tokens a question at 1.0 for a million.
    assert a["price_per_1000_questions"] == pytest.approx(0.9)
    assert a["reembedded_after_insert_section"] == 0.25
    assert pd.isna(a["reembedded_after_rename_heading"])
    # b finds as much as a for fewer tokens, and more than c; a as much as b in fewer bytes.
    assert rows.index[rows["is_on_token_front"]].to_list() == ["b"]
    assert sorted(rows.index[rows["is_on_size_front"]]) == ["a", "c"]


@pytest.mark.parametrize(
    ("expected", "a_only", "b_only", "p_value", "verdict"),
    [
        ("more", 13, 1, 0.0018, "supported"),
        ("less", 13, 1, 0.0018, "rejected"),
        ("more", 1, 13, 0.0018, "rejected"),
        ("less", 1, 13, 0.0018, "supported"),
        ("equal", 1, 13, 0.0018, "rejected"),
        ("equal", 5, 2, 0.4531, "undecided"),
        ("more", 5, 2, 0.4531, "undecided"),
    ],
)
def test_hypotheses_are_held_against_the_flips(
    run_model, expected, a_only, b_only, p_value, verdict
):
    flips = {"a_only": a_only, "b_only": b_only, "p_value": p_value}
    rows = run_model("rpt_hypotheses", hypothesis_inputs("recall_at_5", expected, flips))
    assert rows["verdict"].to_list() == [verdict]


def test_a_hypothesis_about_what_did_not_run_says_so(run_model):
    flips = {"a_only": 13, "b_only": 1, "p_value": 0.0018}
    rows = run_model("rpt_hypotheses", hypothesis_inputs("recall_at_3", "more", flips))
    assert rows["verdict"].to_list() == ["not run"]


def hypothesis_inputs(metric: str, expected: str, flips: dict) -> dict[str, pd.DataFrame]:
    hypothesis = {"hypothesis": "h", "metric": metric, "strategy_a": "a", "strategy_b": "b"}
    pair = {"config_a": "a", "config_b": "b", "label_kind": "span", "slice_kind": "all"}
    return {
        "int_hypotheses": pd.DataFrame([{**hypothesis, "expected": expected}]),
        "fct_comparisons": pd.DataFrame([{**pair, "k": 5, "token_budget": None, **flips}]).astype(
            {"token_budget": "Int64"}
        ),
        "int_configurations": pd.DataFrame(
            [{"config_id": name, "strategy": name, **RANKING} for name in "ab"]
        ),
    }
