"""What the benchmarks share: the corpus, a scratch folder, dbt in a process of its own."""

import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[1]
HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Corpus:
    """Documents and questions to build.

    Attributes:
        name: what it is called in the output.
        documents_path: glob of the files of documents.
        variables: the other settings of a build.
    """

    name: str
    documents_path: str
    variables: Mapping[str, Any]

    @property
    def settings(self) -> dict[str, Any]:
        """All settings of a build."""
        return {"documents_path": self.documents_path, **self.variables}


def load_corpus(references: Path, *, quick: bool) -> Corpus:
    """The pages of `references/cargo`, or the bundled corpus where that folder does not exist."""
    few = {"strategies": ["structure"]} if quick else {}
    cargo = (references / "cargo").resolve()
    if not cargo.is_dir():
        return Corpus("the bundled corpus", str(PROJECT / "seeds" / "raw_documents.csv"), few)
    variables = {
        "questions_path": str(cargo / "questions.jsonl"),
        "cleaning_steps": ["drop_link_definitions"],
        "strategies": ["fixed", "recursive", "structure", "small_to_big"],
        **few,
    }
    return Corpus("the Cargo pages", str(cargo / "*.md"), variables)


@dataclass(frozen=True)
class DbtRun:
    """A finished run of dbt in a process of its own.

    Attributes:
        seconds: from the start of the process to its end.
        import_seconds: the part of it before dbt was imported.
        cpu_seconds: of all cores, which other work on the machine changes little.
        loaded: which of the libraries that only embedding needs were imported.
        peak_megabytes: the most memory that the process held.
        target: dbt's target folder, with `manifest.json` and `run_results.json`.
    """

    seconds: float
    import_seconds: float
    cpu_seconds: float
    loaded: list[str]
    peak_megabytes: float
    target: Path


class Workspace:
    """A scratch folder for databases and dbt's files.

    Args:
        folder: where everything goes.
        corpus: what is built.
        quick: whether the benchmarks are to do a small part only.
    """

    def __init__(self, folder: Path, corpus: Corpus, *, quick: bool) -> None:
        self.folder = folder
        self.corpus = corpus
        self.quick = quick
        self.rounds = 1 if quick else 3

    def run_dbt(
        self,
        *arguments: str,
        database: Path,
        settings: Mapping[str, Any],
        target: str,
        project: Path = PROJECT,
    ) -> DbtRun:
        """Run dbt on this project, or on another one with this project's profile.

        Args:
            arguments: the command and its options.
            database: the DuckDB file.
            settings: the dbt vars.
            target: name of the target folder; a new name makes dbt parse everything.
            project: folder of the dbt project.

        Raises:
            SystemExit: dbt failed; its output is printed.
        """
        folder = self.folder / target
        report = self.folder / "report.json"
        command = [
            *(sys.executable, str(HERE / "dbt_process.py"), str(report), *arguments),
            *("--project-dir", str(project), "--profiles-dir", str(PROJECT)),
            *("--target-path", str(folder), "--log-path", str(self.folder / "logs")),
            *("--vars", json.dumps(dict(settings))),
        ]
        environment = {
            **os.environ,
            "CHUNK_BAKEOFF_DATABASE": str(database),
            "DO_NOT_TRACK": "1",
        }
        began = time.perf_counter()
        finished = subprocess.run(
            command, env=environment, cwd=self.folder, capture_output=True, text=True, check=False
        )
        seconds = time.perf_counter() - began
        if finished.returncode:
            raise SystemExit(f"dbt {' '.join(arguments)} failed:\n{finished.stdout}")
        return DbtRun(seconds=seconds, target=folder, **json.loads(report.read_text("utf-8")))

    def build(self, name: str, corpus: Corpus | None = None, **settings: Any) -> DbtRun:
        """`dbt build` into the database `name`, with a target folder of the same name."""
        given = {**(corpus or self.corpus).settings, **settings}
        return self.run_dbt("build", database=self.database(name), settings=given, target=name)

    def rebuild(self, name: str, *arguments: str) -> DbtRun:
        """`dbt build` of the same once more, with more options."""
        return self.run_dbt(
            *("build", *arguments),
            database=self.database(name),
            settings=self.corpus.settings,
            target=name,
        )

    def database(self, name: str) -> Path:
        """The DuckDB file of that name."""
        return self.folder / f"{name}.duckdb"

    @cached_property
    def built(self) -> str:
        """Name of a database that holds the corpus; it is built when it is first asked for."""
        print(f"(building {self.corpus.name} first)", flush=True)
        self.build("built")
        return "built"

    def edited(self, documents_path: str) -> Corpus:
        """The corpus with other documents."""
        return replace(self.corpus, documents_path=documents_path)


def machine() -> str:
    """Versions, cores, memory and load, for the head of the output."""
    names = ("dbt-core", "dbt-duckdb", "duckdb", "numpy", "sentence-transformers", "torch")
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in names)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores, {memory:.0f} GiB, "
        f"load {os.getloadavg()[0]:.1f}\nPython {platform.python_version()}, {versions}"
    )


def print_table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print rows under a header, numbers with one or two decimals, aligned to the right."""
    cells = [list(header), *([_cell(value) for value in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    for row in cells:
        first, *others = (text.rjust(width) for text, width in zip(row, widths, strict=True))
        print("  ".join([row[0].ljust(widths[0]) if first else first, *others]), flush=True)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.2f}" if value < 10 else f"{value:.1f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
