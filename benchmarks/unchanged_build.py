"""A second `dbt build` with nothing changed: how long, where the time goes, what it imports."""

import json
from collections import Counter
from statistics import median

from measuring import DbtRun, Workspace, print_table

KINDS = {"seed": "seeds", "test": "data tests", "unit_test": "unit tests"}


def measure(workspace: Workspace) -> None:
    """Print the median run in parts."""
    name = workspace.built
    # The first run may still have to save dbt's parse.
    workspace.build(name)
    runs = sorted((workspace.build(name) for _ in range(workspace.rounds)), key=lambda r: r.seconds)
    run = runs[len(runs) // 2]
    print(f"{workspace.corpus.name}, nothing changed: {median(r.seconds for r in runs):.1f} s")
    loaded = sorted({module for run in runs for module in run.loaded})
    print(f"imported for embedding: {', '.join(loaded) or 'nothing'}")
    _print_parts(run)


def _print_parts(run: DbtRun) -> None:
    results = json.loads((run.target / "run_results.json").read_text("utf-8"))
    nodes = json.loads((run.target / "manifest.json").read_text("utf-8"))["nodes"]
    number: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    for result in results["results"]:
        kind = result["unique_id"].split(".")[0]
        language = nodes.get(result["unique_id"], {}).get("language")
        label = KINDS.get(
            kind, {"sql": "SQL models", "python": "Python models"}.get(language, kind)
        )
        number[label] += 1
        seconds[label] += result["execution_time"]
    elapsed = results["elapsed_time"]
    start = run.import_seconds
    print_table(
        ("part of the wall time", "seconds"),
        [
            ("Python imports dbt", start),
            ("dbt reads the project", run.seconds - start - elapsed),
            ("dbt runs the nodes", elapsed),
        ],
    )
    rows = [(label, number[label], seconds[label]) for label in sorted(seconds, key=seconds.get)]
    print_table(("nodes, two at a time", "number", "seconds"), rows[::-1])
