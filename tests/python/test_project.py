import json
import os
import sys
from types import SimpleNamespace

import pytest
from support import REPO

from chunk_bakeoff import project
from chunk_bakeoff.project import project_folder, run_dbt, was_built


@pytest.fixture
def ran(monkeypatch):
    """What was run instead of dbt; its exit code can be set."""
    record = SimpleNamespace(code=0, command=None, environment=None)

    def run(command, env, check):
        record.command, record.environment = command, env
        return SimpleNamespace(returncode=record.code)

    monkeypatch.setattr(project.subprocess, "run", run)
    return record


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """A folder that passes for the project."""
    (tmp_path / "dbt_project.yml").write_text("name: chunk_bakeoff\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_folder_is_where_you_are_or_the_checkout(copy, monkeypatch):
    assert project_folder() == copy
    (copy / "dbt_project.yml").write_text("name: another\n", "utf-8")
    assert project_folder() == REPO
    monkeypatch.setattr(project, "__file__", str(copy / "a" / "b" / "c.py"))
    with pytest.raises(SystemExit, match="there is no dbt project chunk_bakeoff here"):
        project_folder()


def test_dbt_gets_its_database_and_settings(copy, ran):
    run_dbt(["build", "--select", "x"], database=copy / "new" / "a.duckdb", variables={"k": [1]})
    assert (copy / "new").is_dir()
    assert ran.command[0] == sys.executable
    options = ran.command[ran.command.index("build") :]
    assert options[:3] == ["build", "--select", "x"]
    assert options[options.index("--project-dir") + 1] == str(copy)
    assert json.loads(options[options.index("--vars") + 1]) == {"k": [1]}
    assert ran.environment["CHUNK_BAKEOFF_DATABASE"] == str(copy / "new" / "a.duckdb")
    assert ran.environment["DO_NOT_TRACK"] == "1"
    assert ran.environment["PATH"] == os.environ["PATH"]


def test_a_failure_of_dbt_ends_the_program(copy, ran):
    ran.code = 1
    with pytest.raises(SystemExit, match=r"dbt seed failed for .*a\.duckdb"):
        run_dbt(["seed"], database=copy / "a.duckdb")


def test_what_the_last_run_built(copy, ran):
    database = copy / "a.duckdb"
    results = copy / "target" / "a" / "run_results.json"
    assert not was_built("fct_metrics", database)
    results.parent.mkdir(parents=True)
    outcomes = [
        ("model.chunk_bakeoff.fct_metrics", "success"),
        ("model.chunk_bakeoff.x", "skipped"),
    ]
    results.write_text(
        json.dumps({"results": [{"unique_id": u, "status": s} for u, s in outcomes]}), "utf-8"
    )
    assert was_built("fct_metrics", database)
    assert not was_built("x", database)
    assert not was_built("fct_metrics", copy / "b.duckdb")
    # The next run forgets it first.
    run_dbt(["build"], database=database)
    assert not was_built("fct_metrics", database)
