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
    """The folder with the compiled SQL of the models of the verdict."""
    folder = tmp_path_factory.mktemp("compiled")
    command = [
        *(sys.executable, "-c", "from dbt.cli.main import cli; cli()", "--quiet"),
        *("compile", "--select", "path:models/verdict"),
        *("--project-dir", str(PROJECT), "--profiles-dir", str(PROJECT)),
        *("--target-path", str(folder), "--log-path", str(folder)),
    ]
    environment = {
        **os.environ,
        "CHUNK_BAKEOFF_DATABASE": str(folder / f"{DATABASE}.duckdb"),
        "DO_NOT_TRACK": "1",
    }
    subprocess.run(command, cwd=PROJECT, env=environment, check=True)
    return folder / "compiled" / "chunk_bakeoff" / "models" / "verdict"


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
            return connection.execute((compiled / f"{model}.sql").read_text()).df()

    return run
