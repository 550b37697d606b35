"""Building tiny corpora with dbt, and reading and rerunning what was built."""

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest
from dbt.adapters.duckdb.connections import DuckDBConnectionManager
from dbt.cli.main import dbtRunner
from support import REPO, write_lines

NO_TESTS = ["--exclude-resource-type", "test", "--exclude-resource-type", "unit_test"]

# dbt's parse by settings: it takes longer than a build. Inputs always lie in one place, so that
# they do not change the settings.
_INPUTS = Path(tempfile.mkdtemp(prefix="small_builds"))
_PARSED = {}
atexit.register(shutil.rmtree, _INPUTS, ignore_errors=True)


@dataclass(frozen=True)
class Build:
    """A database that dbt built, with the SQL that it ran."""

    database: Path
    target: Path

    def rows(self, query):
        """The rows of a query, as tuples."""
        with duckdb.connect(str(self.database), read_only=True) as connection:
            return connection.execute(query).fetchall()

    def table(self, name, where="true"):
        """All rows of a table as a sorted list of dictionaries."""
        with duckdb.connect(str(self.database), read_only=True) as connection:
            found = connection.sql(f"from {name} where {where}").to_arrow_table().to_pylist()
        return sorted(found, key=lambda row: json.dumps(row, default=str, sort_keys=True))

    def sql_of(self, model):
        """The SQL of a model as dbt compiled it."""
        (file,) = (self.target / "compiled").rglob(f"{model}.sql")
        return file.read_text("utf-8")


def build(folder, documents, questions, *, select="+fct_retrievals", flags=(), **variables):
    """Run dbt on documents and questions given as rows, in a folder of its own.

    `flags` are those of the Python that runs dbt, in a process of its own where there are any.
    """
    variables = {
        "documents_path": write_lines(_INPUTS / "documents.jsonl", documents),
        "questions_path": write_lines(_INPUTS / "questions.jsonl", questions),
        **variables,
    }
    return build_with(folder, variables, select, flags)


def build_with(folder, variables, select, flags=()):
    """Run dbt with these settings, in a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    result = Build(folder / "small.duckdb", folder / "target")
    command = ["build", *NO_TESTS, "--select", *select.split()]
    (run_apart if flags else run_here)(result, command, variables, flags)
    return result


def _arguments(result, command, variables):
    return [
        *("--quiet", "--log-path", str(result.target / "logs")),
        *command,
        *("--project-dir", str(REPO), "--profiles-dir", str(REPO)),
        *("--target-path", str(result.target), "--vars", json.dumps(variables)),
    ]


def run_here(result, command, variables, _flags=()):
    """Run dbt in this process; settings that were parsed before are not parsed again."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("CHUNK_BAKEOFF_DATABASE", str(result.database))
        key = json.dumps(variables, sort_keys=True)
        if key not in _PARSED:
            parsed = dbtRunner().invoke(_arguments(result, ["parse"], variables))
            assert parsed.success, parsed.exception
            _PARSED[key] = parsed.result
        runner = dbtRunner(manifest=_PARSED[key])
        outcome = runner.invoke(_arguments(result, command, variables))
        # Until then the database is open in this process, and part of it is not in its file.
        DuckDBConnectionManager.close_all_connections()
    assert outcome.success, outcome.exception or [
        (r.node.name, r.message) for r in outcome.result.results if r.status == "error"
    ]


def run_apart(result, command, variables, flags):
    """Run dbt in a process of its own; what it printed is the message where it fails."""
    finished = subprocess.run(
        [
            *(sys.executable, *flags, "-c", "from dbt.cli.main import cli; cli()"),
            *_arguments(result, command, variables),
        ],
        cwd=REPO,
        env={**os.environ, "CHUNK_BAKEOFF_DATABASE": str(result.database)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout[-6000:] + finished.stderr[-2000:]
