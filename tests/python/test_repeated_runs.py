"""Two full runs give the same tables, also under `python -O`."""

import pytest
from small_builds import build

DOCUMENTS = [
    {
        "doc_id": f"d{number}",
        "acl": "public" if number % 3 else "staff",
        "text": f"# Part {number}\n\nalpha beta {number}\n\n## More\n\nbeta gamma delta\n",
    }
    for number in range(12)
]
QUESTIONS = [
    {"question_id": "q1", "question": "beta gamma", "doc_id": "d1", "quote": "beta gamma"},
    {
        "question_id": "q2",
        "question": "alpha 4",
        "groups": "staff|public",
        "doc_id": "d4",
        "quote": "alpha",
    },
    {"question_id": "q3", "question": "omega", "answerable": False},
]
TABLES = [
    *("fct_retrievals", "fct_span_outcomes", "fct_metrics", "rpt_strategy_leaderboard"),
    *("fct_abstention_curve", "rpt_abstention"),
]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("repeated")
    return [
        build(
            folder / name,
            DOCUMENTS,
            QUESTIONS,
            select="+rpt_strategy_leaderboard +rpt_abstention",
            flags=flags,
            embedding_models=[],
            retrievers=["term_overlap", "bm25", "lexical_rrf"],
            deliveries=["plain", "merged", "neighbours_1"],
            strategies=["fixed", "structure", "small_to_big"],
        )
        for name, flags in (("first", ()), ("second", ("-O",)))
    ]


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_two_runs_give_the_same_rows(runs, table):
    first, second = (run.table(table) for run in runs)
    assert len(first) > 0
    assert first == second
