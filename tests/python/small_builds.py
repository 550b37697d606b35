"""Building tiny corpora with dbt, and reading and rerunning what was built."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import duckdb
from conftest import REPO


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


def write_lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(path)


def build(folder, documents, questions, *, select="+fct_retrievals", flags=(), **variables):
    """Run dbt on documents and questions given as rows, in a folder of its own.

    `flags` are those of the Python that runs dbt.
    """
    folder.mkdir(parents=True, exist_ok=True)
    variables = {
        "documents_path": write_lines(folder / "documents.jsonl", documents),
        "questions_path": write_lines(folder / "questions.jsonl", questions),
        **variables,
    }
    result = Build(folder / "small.duckdb", folder / "target")
    only = ["--exclude-resource-type", "test", "--exclude-resource-type", "unit_test"]
    run_dbt(result, ["build", *only, "--select", *select.split()], variables, flags)
    return result


def run_dbt(result, arguments, variables, flags=()):
    """Run dbt; what it printed is the message where it fails."""
    command = [sys.executable, *flags, "-c", "from dbt.cli.main import cli; cli()", *arguments]
    command += ["--project-dir", str(REPO), "--profiles-dir", str(REPO)]
    command += ["--target-path", str(result.target), "--log-path", str(result.target / "logs")]
    command += ["--vars", json.dumps(variables)]
    environment = {
        **os.environ,
        "CHUNK_BAKEOFF_DATABASE": str(result.database),
        "DO_NOT_TRACK": "1",
        "PYTHONPATH": str(REPO / "python_udfs"),
    }
    finished = subprocess.run(
        command, cwd=REPO, env=environment, capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stdout[-6000:] + finished.stderr[-2000:]
    return finished.stdout
