"""Run a model's own SQL, as dbt compiles it, on tables made by hand."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import duckdb
import pandas as pd
import pytest

PROJECT = Path(__file__).resolve().parents[3]
DATABASE = "compiled"

RunModel = Callable[[str, Mapping[str, pd.DataFrame]], pd.DataFrame]


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the compiled SQL of the verdict."""
    folder = tmp_path_factory.mktemp("compiled")
    command = [
        *(sys.executable, "-c", "from dbt.cli.main import cli; cli()", "--quiet"),
        *("compile", "--select", "path:models/verdict", "path:models/outcomes"),
        "failures_to_questions",
        *("--project-dir", str(PROJECT), "--profiles-dir", str(PROJECT)),
        *("--target-path", str(folder), "--log-path", str(folder)),
    ]
    environment = {
        **os.environ,
        "CHUNK_BAKEOFF_DATABASE": str(folder / f"{DATABASE}.duckdb"),
        "DO_NOT_TRACK": "1",
    }
    subprocess.run(command, cwd=PROJECT, env=environment, check=True)
    return folder / "compiled" / "chunk_bakeoff"


@pytest.fixture
def run_model(compiled: Path) -> RunModel:
    """Give a model's name and its inputs by model name; get its rows."""

    def run(model: str, inputs: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
        with duckdb.connect() as connection:
            connection.execute(f"attach ':memory:' as {DATABASE}")
            for name, frame in inputs.items():
                connection.register("frame", frame)
                connection.execute(f"create table {DATABASE}.main.{name} as select * from frame")
                connection.unregister("frame")
            return connection.execute(next(compiled.rglob(f"{model}.sql")).read_text()).df()

    return run


@pytest.fixture
def run_question_metrics(run_model: RunModel) -> Callable[[pd.DataFrame], dict]:
    """Give the outcomes of one configuration; get values by metric, k and question."""

    def run(outcomes: pd.DataFrame) -> dict[tuple[str, int, str], float]:
        questions = outcomes[["question_id", "label_kind"]].drop_duplicates()
        keyed = ["config_id", "label_kind", "question_id", "metric", "k", "token_budget", "value"]
        signal = ["config_id", "label_kind", "signal"]
        delivery = ["config_id", "question_id", "k", "context_tokens", "characters"]
        rows = run_model(
            "int_question_metrics",
            {
                "int_configurations": pd.DataFrame({"config_id": ["c"], "embedding_model": ["m"]}),
                "int_abstention_signals": pd.DataFrame(columns=[*signal, "question_id", "value"]),
                "int_abstention_thresholds": pd.DataFrame(columns=[*signal, "threshold"]),
                "fct_span_outcomes": outcomes,
                "int_question_labels": questions.assign(standing="scored"),
                "fct_retrievals": pd.DataFrame(columns=["config_id", "question_id", "rank"]),
                "int_delivery_by_k": pd.DataFrame(columns=[*delivery, "distinct_characters"]),
                "int_question_characters": pd.DataFrame(columns=keyed),
                "int_question_budgets": pd.DataFrame(columns=keyed),
            },
        )
        return {(r.metric, r.k, r.question_id): r.value for r in rows.itertuples()}

    return run
