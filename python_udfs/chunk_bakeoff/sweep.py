"""Compare settings of one strategy: `python -m chunk_bakeoff.sweep --name overlap_tokens`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from chunk_bakeoff.project import BUILD, PROJECT_NAME, WAREHOUSE, project_folder, run_dbt

Settings = Mapping[str, Any]
SWEEPS_FOLDER = "sweeps"


@dataclass(frozen=True, slots=True)
class Sweep:
    """Variants of one strategy model that differ in one setting.

    Attributes:
        model: the strategy model.
        variants: settings by the variant's public name, in the order of the table.
        points: the value that changes, by the variant's name.
    """

    model: str
    variants: Mapping[str, Settings]
    points: Mapping[str, Any]


def _sweep(model: str, name: str, setting: str, values: Sequence[int], **fixed: Any) -> Sweep:
    names = {name.format(value): value for value in values}
    variants = {variant: {**fixed, setting: value} for variant, value in names.items()}
    return Sweep(model, variants, names)


# 250 tokens and not the 254 that the default model reads: a window that begins or ends inside a
# word can hold a token or two more once it is tokenized by itself.
SWEEPS: dict[str, Sweep] = {
    "overlap_tokens": _sweep("fixed", "fixed_128_{}", "overlap", (0, 16, 32, 64), size=128),
    "overlap_elements": _sweep("elements", "elements_128_{}", "overlap", (0, 4, 8, 16), size=128),
    "sizes": _sweep("fixed", "fixed_{}_0", "size", (64, 128, 192, 250)),
    "sizes_over_limit": _sweep(
        "fixed", "fixed_{}_0", "size", (64, 128, 256, 512), declares=["over_limit"]
    ),
    "recursive_chars": _sweep(
        "recursive_chars", "recursive_{}", "size", (150, 400, 1200), declares=["over_limit"]
    ),
    "parent_caps": _sweep(
        "parent_child", "parent_child_{}", "cap", (256, 512, 1024), child_size=64, deepest=2
    ),
    "child_sizes": _sweep("small_to_big", "small_to_big_{}", "child_size", (32, 64, 96, 128)),
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Build the sweep into a database of its own and print its table."""
    options = _parser().parse_args(arguments)
    if not options.name:
        raise SystemExit(f"Name one of the sweeps: {', '.join(SWEEPS)}")
    if options.name not in SWEEPS:
        raise SystemExit(f"There is no sweep {options.name}; there are {', '.join(SWEEPS)}")
    database = project_folder() / WAREHOUSE / SWEEPS_FOLDER / f"{options.name}.duckdb"
    start_with_vectors(database, project_folder() / WAREHOUSE / f"{PROJECT_NAME}.duckdb")
    variables = {**json.loads(options.vars), **sweep_variables(options.name)}
    run_dbt(BUILD, database=database, variables=variables)
    with duckdb.connect(str(database), read_only=True) as connection:
        query = "select * exclude (config_id) from rpt_sweep order by label_kind, position"
        print(connection.sql(query).df().to_string(index=False))
    print(
        "\nOf equal quality the least duplication, then the fewest tokens to embed: the row where "
        f"is_chosen is true ({database})"
    )


def start_with_vectors(database: Path, built: Path) -> None:
    """Give a new database the vectors of another build, so that only new texts are embedded."""
    if database.exists() or not built.is_file():
        return
    with duckdb.connect(str(built), read_only=True) as connection:
        # A build that failed early leaves a database without them.
        if ("embedding_store",) not in connection.sql("show tables").fetchall():
            return
        vectors = connection.table("embedding_store").to_arrow_table()
    database.parent.mkdir(parents=True, exist_ok=True)
    # The format that the profile asks dbt for.
    settings = {"storage_compatibility_version": "v1.0.0"}
    with duckdb.connect(str(database), config=settings) as connection:
        connection.register("vectors", vectors)
        connection.execute("create table embedding_store as select * from vectors")


def sweep_variables(name: str) -> dict[str, Any]:
    """The dbt variables that one sweep is."""
    sweep = SWEEPS[name]
    return {
        "strategies": [sweep.model],
        "strategy_variants": {sweep.model: dict(sweep.variants)},
        "sweep": {"name": name, "points": dict(sweep.points)},
        "baseline_strategy": next(iter(sweep.variants)),
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m chunk_bakeoff.sweep", description=__doc__)
    parser.add_argument("--name", default="", help=f"one of {', '.join(SWEEPS)}")
    parser.add_argument("--vars", default="{}", help="JSON: settings of the corpus, as for dbt")
    return parser


if __name__ == "__main__":
    main()
