"""Running the dbt project from Python, each corpus into a database of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

PROJECT_NAME = "chunk_bakeoff"
WAREHOUSE = Path("warehouse")
RUN_RESULTS = "run_results.json"
# Unit tests check the SQL, not the data of a corpus.
BUILD = ("build", "--exclude-resource-type", "unit_test")
_NAME = re.compile(rf"^name: *['\"]?{PROJECT_NAME}['\"]? *$", re.MULTILINE)


def project_folder() -> Path:
    """The folder of the dbt project: the working directory, or the checkout of this package.

    Raises:
        SystemExit: neither holds this project's `dbt_project.yml`.
    """
    for folder in (Path.cwd(), Path(__file__).resolve().parents[2]):
        file = folder / "dbt_project.yml"
        if file.is_file() and _NAME.search(file.read_text("utf-8")):
            return folder
    raise SystemExit(
        f"there is no dbt project {PROJECT_NAME} here; run this from a checkout of it, or install "
        "the package from one with pip install --editable"
    )


def run_dbt(
    arguments: Sequence[str], *, database: Path, variables: Mapping[str, Any] | None = None
) -> None:
    """Run dbt on the project against `database`, from the present working directory.

    Raises:
        SystemExit: dbt failed; its own output has said why.
    """
    folder = project_folder()
    database = database.resolve()
    database.parent.mkdir(parents=True, exist_ok=True)
    command = [
        *(sys.executable, "-c", "from dbt.cli.main import cli; cli()"),
        *arguments,
        *("--project-dir", str(folder), "--profiles-dir", str(folder)),
        *("--target-path", str(_target(database)), "--log-path", str(folder / "logs")),
        *("--vars", json.dumps(dict(variables or {}))),
    ]
    environment = {**os.environ, "CHUNK_BAKEOFF_DATABASE": str(database), "DO_NOT_TRACK": "1"}
    # What an earlier run has left must not pass for the result of this one.
    (_target(database) / RUN_RESULTS).unlink(missing_ok=True)
    finished = subprocess.run(command, env=environment, check=False)
    if finished.returncode:
        raise SystemExit(f"dbt {arguments[0]} failed for {database}")


def was_built(model: str, database: Path) -> bool:
    """Whether the last run of `run_dbt` against `database` built the model."""
    file = _target(database.resolve()) / RUN_RESULTS
    if not file.is_file():
        return False
    results = json.loads(file.read_text("utf-8"))["results"]
    built = {result["unique_id"] for result in results if result["status"] == "success"}
    return f"model.{PROJECT_NAME}.{model}" in built


def _target(database: Path) -> Path:
    """Apart for each database, so that dbt's saved parse of one fits the next run of the same."""
    return project_folder() / "target" / database.stem
