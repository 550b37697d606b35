"""Running the dbt project from Python, each corpus into a database of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

PROJECT_NAME = "chunk_bakeoff"
WAREHOUSE = Path("warehouse")


def project_folder() -> Path:
    """The folder of the dbt project: the working directory, or the checkout of this package.

    Raises:
        SystemExit: neither holds a `dbt_project.yml`.
    """
    for folder in (Path.cwd(), Path(__file__).resolve().parents[2]):
        if (folder / "dbt_project.yml").is_file():
            return folder
    raise SystemExit("no dbt_project.yml here; run this from the folder of the dbt project")


def run_dbt(
    arguments: Sequence[str], *, database: Path, variables: Mapping[str, Any] | None = None
) -> None:
    """Run dbt in the project's folder against `database`.

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
        *("--vars", json.dumps(dict(variables or {}))),
    ]
    environment = {**os.environ, "CHUNK_BAKEOFF_DATABASE": str(database), "DO_NOT_TRACK": "1"}
    finished = subprocess.run(command, cwd=folder, env=environment, check=False)
    if finished.returncode:
        raise SystemExit(f"dbt {arguments[0]} failed for {database}")
