"""Two-step search: a long shortlist changes nothing, a short one keeps the exact scores."""

import pytest

from warehouse import Warehouse

pytestmark = pytest.mark.slow

RANKING = """
    select question_id, rank, chunk_id, score from fct_retrievals
    where retriever = ? order by question_id, rank
"""


def test_a_shortlist_is_rescored_with_all_dimensions(tmp_path):
    warehouse = Warehouse(tmp_path, retrievers=["dense", "dense_two_step"])
    warehouse.write(
        **{f"d{i}": f"Pump {i} is checked by crew {i % 3} at night." for i in range(12)}
    )
    warehouse.ask(
        {"question_id": "q1", "question": "Which crew checks pump 7?", "groups": "*"},
        {"question_id": "q2", "question": "What is checked at night?", "groups": "*"},
    )
    warehouse.build("--select", "+fct_retrievals", two_step={"dimensions": 8, "shortlist": 100})
    assert warehouse.rows(RANKING, "dense_two_step") == warehouse.rows(RANKING, "dense")

    warehouse.build("--select", "+fct_retrievals", two_step={"dimensions": 8, "shortlist": 3})
    exact = {(q, c): s for q, _, c, s in warehouse.rows(RANKING, "dense")}
    short = warehouse.rows(RANKING, "dense_two_step")
    assert len(short) == 6
    assert all(exact[question, chunk] == score for question, _, chunk, score in short)
