"""The gate, armed: dbt's own test on a history of two runs."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from chunk_bakeoff.project import run_dbt

SHIPPED = "structure/dense/m/plain"
GATE = "shipped_strategy_keeps_its_recall"
COMMAND = [
    *("build", "--quiet", "--exclude-resource-type", "unit_test", "--select"),
    *("int_run", "fct_outcome_history", "int_reference_run", "int_shipped_outcomes"),
    *("int_shipped_flips", "rpt_regression", GATE),
]


class Project:
    """What the gate reads: 50 questions, of which 40 were found in the run `accepted`."""

    def __init__(self, database: Path) -> None:
        self.database = database
        self.execute(
            f"""
            create table int_configurations as select '{SHIPPED}' as config_id;
            create table int_decision_winners as select '{SHIPPED}' as config_id;
            create table fct_outcome_history as
            select
                'accepted' as run_id, timestamp '2026-01-01 00:00:00' as run_at,
                '{SHIPPED}' as config_id, 'span' as label_kind, 'q' || number as question_id,
                1000 as token_budget, cast(number < 40 as double) as recall
            from range(50) as questions(number)
            """
        )

    def execute(self, query: str) -> list[tuple]:
        with duckdb.connect(str(self.database)) as connection:
            return connection.execute(query).fetchall()

    def run(self, found: int, **variables: str) -> None:
        """Build the gate on a run that finds so many."""
        self.execute(
            f"""
            create or replace table int_question_metrics as
            select
                '{SHIPPED}' as config_id, 'span' as label_kind, 'q' || number as question_id,
                'recall_at_budget' as metric, cast(null as integer) as k, 1000 as token_budget,
                cast(number < {found} as double) as value
            from range(50) as questions(number)
            """
        )
        run_dbt(COMMAND, database=self.database, variables=variables)

    def problems(self) -> list[str]:
        """The rows with which the gate failed."""
        rows = self.execute(f"select problem from main_dbt_test__audit.{GATE} order by problem")
        return [problem for (problem,) in rows]


@pytest.fixture
def project(tmp_path) -> Project:
    return Project(tmp_path / "gate.duckdb")


def test_an_equal_run_passes_and_a_worse_one_fails(project):
    armed = {"shipped_config": SHIPPED, "accepted_run": "accepted"}
    project.run(found=40, **armed)
    assert project.problems() == []
    with pytest.raises(SystemExit):
        project.run(found=33, **armed)
    (problem,) = project.problems()
    # Seven lost and none gained: p = 2 / 2 ** 7.
    assert f"{SHIPPED} by span falls from 0.800 to 0.660 within 1000 tokens" in problem
    assert "gains 0 questions, loses 7, p = 0.0156" in problem


def test_names_that_nothing_has_fail_with_a_sentence(project):
    with pytest.raises(SystemExit):
        project.run(found=40, shipped_config="structure", accepted_run="last week")
    assert project.problems() == [
        "accepted_run last week is not in fct_outcome_history: name a run_id that is there",
        f"shipped_config structure did not run; these did: {SHIPPED}",
    ]
