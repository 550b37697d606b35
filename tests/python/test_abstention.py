"""Abstention: a threshold chosen on tune, what it does on holdout, and ranks of evidence."""

import pytest
from small_builds import build

DOCUMENTS = [
    {"doc_id": "open", "text": "alpha beta gamma delta"},
    {"doc_id": "more", "text": "omega psi"},
    {"doc_id": "secret", "acl": "board", "text": "sigma tau"},
]


def ask(question_id, question, split, **more):
    return {"question_id": question_id, "question": question, "split": split, **more}


FOUND = {"doc_id": "open", "quote": "alpha beta"}
# The share of each question's units that stands in the open document is its first score.
QUESTIONS = [
    ask("tune_1", "alpha beta", "tune", **FOUND),
    ask("tune_2", "alpha n1", "tune", **FOUND),
    ask("tune_none_1", "beta n1", "tune", answerable=False),
    ask("tune_none_2", "gamma n1 n2 n3", "tune", answerable=False),
    ask("holdout_1", "delta n1 n2 n3", "holdout", **FOUND),
    ask("holdout_none", "n1 n2", "holdout", answerable=False),
    ask("holdout_blocked", "alpha", "holdout", doc_id="secret", quote="sigma"),
    ask(
        "two_pieces",
        "alpha beta omega",
        "tune",
        spans=[FOUND, {"doc_id": "more", "quote": "omega psi"}],
    ),
]


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    return build(
        tmp_path_factory.mktemp("strict"),
        DOCUMENTS,
        QUESTIONS,
        select="+rpt_abstention +fct_metrics",
        embedding_models=[],
        retrievers=["term_overlap"],
        strategies=["fixed"],
        strategy_variants={"fixed": {"whole": {"size": 50}}},
        abstention={"signal": "score", "target_false_answer_rate": 0.1},
    )


def report(built, columns, kind="all", signal="score"):
    return built.rows(f"""
        select {columns} from rpt_abstention
        where signal = '{signal}' and no_answer_kind = '{kind}'
    """)


@pytest.mark.slow
def test_the_threshold_is_the_lowest_that_keeps_the_target_on_tune(strict):
    # At 0.5 one of two is answered falsely, at 1.0 none. Scores with an answer: 1, 0.5, 2/3.
    assert report(strict, "round(threshold, 6), tune_no_answer_accuracy") == [(0.666667, 1.0)]
    assert report(strict, "round(tune_false_abstention_rate, 6)") == [(0.333333,)]


@pytest.mark.slow
def test_a_looser_target_takes_a_lower_threshold(strict):
    sql = strict.sql_of("int_abstention_thresholds")
    assert "<= 0.1" in sql
    loose = strict.rows(f"""
        select threshold from ({sql.replace("<= 0.1", "<= 0.5")}) where signal = 'score'
    """)
    assert loose == [(0.5,)]


@pytest.mark.slow
def test_it_is_reported_on_holdout(strict):
    columns = "holdout_no_answer_accuracy, holdout_n_without_answer, holdout_false_abstention_rate"
    assert report(strict, columns) == [(0.5, 2, 1.0)]


@pytest.mark.slow
def test_what_access_blocks_counts_on_its_own(strict):
    columns = "holdout_no_answer_accuracy, holdout_n_without_answer"
    assert report(strict, columns, "unanswerable") == [(1.0, 1)]
    assert report(strict, columns, "access_blocked") == [(0.0, 1)]


@pytest.mark.slow
def test_the_curve_runs_from_answering_all_to_answering_none(strict):
    curve = strict.rows("""
        select round(threshold, 6), false_answer_rate, round(false_abstention_rate, 6)
        from fct_abstention_curve
        where signal = 'score' and split = 'tune' and no_answer_kind = 'all'
        order by threshold
    """)
    assert curve == [
        (0.25, 1.0, 0.0),
        (0.5, 0.5, 0.0),
        (0.666667, 0.0, 0.333333),
        (1.0, 0.0, 0.666667),
        (float("inf"), 0.0, 1.0),
    ]


@pytest.mark.slow
def test_the_metric_uses_the_threshold(strict):
    found = strict.rows("""
        select slice_value, value, n_scored from fct_metrics
        where metric = 'no_answer_accuracy' and slice_kind in ('all', 'split')
        order by slice_value
    """)
    assert found == [("all", 0.75, 4), ("holdout", 0.5, 2), ("tune", 1.0, 2)]


@pytest.mark.slow
def test_the_rank_of_the_last_piece(strict):
    # Found at ranks 1 (one piece, three questions) and 2 (two pieces).
    found = strict.rows("""
        select value, n_scored, n_given from fct_metrics
        where metric = 'last_evidence_rank' and slice_kind = 'all'
    """)
    assert found == [(1.25, 4, 4)]
    complete = strict.rows("""
        select k, value from fct_metrics
        where metric = 'complete_evidence' and slice_kind = 'all' and k in (1, 3) order by k
    """)
    assert complete == [(1, 0.75), (3, 1.0)]
    recall = strict.rows("""
        select value from fct_metrics where metric = 'recall' and slice_kind = 'all' and k = 1
    """)
    assert recall == [(0.875,)]
