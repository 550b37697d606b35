"""A second `dbt build` with nothing changed: how long, where the time goes, what it imports.

Beside it the second build of a project with as many models and tests that do nothing.
"""

import json
from collections.abc import Callable

from bare_project import write_bare_project
from measuring import DbtRun, Workspace, print_table

KINDS = {"seed": "seeds", "test": "data tests", "unit_test": "unit tests"}
LANGUAGES = {"sql": "SQL models", "python": "Python models"}
WITHOUT_UNIT_TESTS = ("--exclude-resource-type", "unit_test")


def measure(workspace: Workspace) -> None:
    """Print the median run in parts, with unit tests and without, beside the bare project's."""
    for label, arguments in (("", ()), (" without unit tests", WITHOUT_UNIT_TESTS)):
        run = _median(workspace, lambda given=arguments: workspace.rebuild(workspace.built, *given))
        nodes = _nodes(run)
        bare = _median(workspace, _bare_builds(workspace, nodes, arguments))
        loaded = ", ".join(run.loaded) or "nothing"
        print(f"{workspace.corpus.name}, nothing changed{label}; imported for embedding: {loaded}")
        print_table(("seconds", "this project", "bare project"), _parts(run, bare))
        print_table(
            ("nodes, two at a time", "number", "seconds"),
            sorted(((kind, *nodes[kind]) for kind in nodes), key=lambda row: -row[2]),
        )


def _median(workspace: Workspace, build: Callable[[], DbtRun]) -> DbtRun:
    """The median run but for the first, which may still have to save dbt's parse."""
    build()
    runs = sorted((build() for _ in range(workspace.rounds)), key=lambda run: run.seconds)
    return runs[len(runs) // 2]


def _bare_builds(
    workspace: Workspace, nodes: dict[str, tuple[int, float]], arguments: tuple[str, ...]
) -> Callable[[], DbtRun]:
    """A build of a project with as many nodes of each kind, seeds and Python models as tables."""
    name = f"bare{len(arguments)}"
    number = {kind: nodes.get(kind, (0, 0.0))[0] for kind in (*KINDS.values(), *LANGUAGES.values())}
    write_bare_project(
        workspace.folder / name,
        models=number["SQL models"] + number["Python models"] + number["seeds"],
        data_tests=number["data tests"],
        unit_tests=number["unit tests"],
    )
    return lambda: workspace.run_dbt(
        *("build", *arguments),
        database=workspace.database(name),
        settings={},
        target=f"{name}_target",
        project=workspace.folder / name,
    )


def _nodes(run: DbtRun) -> dict[str, tuple[int, float]]:
    """Number of nodes and their seconds, by kind."""
    results = json.loads((run.target / "run_results.json").read_text("utf-8"))["results"]
    manifest = json.loads((run.target / "manifest.json").read_text("utf-8"))["nodes"]
    sums: dict[str, tuple[int, float]] = {}
    for result in results:
        kind = result["unique_id"].split(".")[0]
        language = manifest.get(result["unique_id"], {}).get("language")
        label = KINDS.get(kind) or LANGUAGES.get(language, kind)
        number, seconds = sums.get(label, (0, 0.0))
        sums[label] = (number + 1, seconds + result["execution_time"])
    return sums


def _parts(run: DbtRun, bare: DbtRun) -> list[tuple[str, float, float]]:
    rows = [("whole build", run.seconds, bare.seconds)]
    rows.append(("Python imports dbt", run.import_seconds, bare.import_seconds))
    elapsed, bare_elapsed = (
        json.loads((one.target / "run_results.json").read_text("utf-8"))["elapsed_time"]
        for one in (run, bare)
    )
    reading = run.seconds - run.import_seconds - elapsed
    bare_reading = bare.seconds - bare.import_seconds - bare_elapsed
    rows.append(("dbt reads the project", reading, bare_reading))
    return [*rows, ("dbt runs the nodes", elapsed, bare_elapsed)]
