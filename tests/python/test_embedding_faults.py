"""A run that is killed goes on where it stopped; the marts are those of an undisturbed run."""

import faults
import pytest

pytestmark = pytest.mark.slow

MARTS = {
    "fct_retrievals": "config_id, question_id, rank",
    "fct_span_outcomes": "config_id, label_kind, question_id, span_index",
    "rpt_strategy_leaderboard": "config_id, label_kind",
}


def test_a_killed_run_resumes_without_embedding_anything_twice(tmp_path):
    killed = faults.prepared(tmp_path / "killed")
    # A committed text takes more than 256 bytes, its vector alone.
    faults.kill_during_embedding(killed, log_growth=40_000)
    kept, distinct = faults.stored_texts(killed)
    assert 0 < kept == distinct < faults.TEXTS + 1

    killed.dbt("run", "--select", "+rpt_strategy_leaderboard")
    total, distinct = faults.stored_texts(killed)
    assert total == distinct == faults.TEXTS + 1
    resumed = killed.embedded_now()
    assert sum(resumed.values()) == faults.TEXTS + 1 - kept

    undisturbed = faults.corpus(tmp_path / "undisturbed")
    undisturbed.dbt("run", "--select", "+rpt_strategy_leaderboard")
    for mart, order in MARTS.items():
        query = f"select * from {mart} order by {order}"
        assert killed.rows(query) == undisturbed.rows(query), mart


def test_of_two_builds_at_once_nothing_is_lost(tmp_path):
    assert faults.check_two_at_once(faults.prepared(tmp_path))
