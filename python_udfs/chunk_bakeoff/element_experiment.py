"""Structured chunks against fixed windows: `python -m chunk_bakeoff.element_experiment`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import duckdb

from chunk_bakeoff.project import WAREHOUSE, project_folder, run_dbt

CORPUS = "seeds/buoys"
# In lexical units, as all counts of this experiment.
SIZE = 40
OVERLAPS = (0, 4, 8, 16)
# The strategy models, and what their variants are called.
SERIES = {"elements": "elements", "elements_naive": "windows"}
BUDGET = 100

_REPORT = """
    select
        strategy, question_set, n_scored, chunks, source_units, body_units, retrieval_units,
        round(duplication_ratio, 3) as duplication,
        concat_ws('-', shortest_chunk, cast(median_chunk as integer), longest_chunk) as lengths,
        round(mean_context_units_at_3, 1) as context_units,
        round(anchor_recall_at_3, 3) as recall_3, round(mrr, 3) as mrr,
        round(complete_evidence_at_3, 3) as complete_3,
        round(no_answer_accuracy, 3) as no_answer
    from rpt_structure
    order by question_set, strategy
"""
_ABLATION = """
    select
        series, setting as overlap, chunks, round(recall_at_budget, 3) as recall_at_budget,
        round(repeated_share_at_5, 3) as repeated, is_equal, is_chosen
    from rpt_sweep
    order by series, position
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Build the experiment into a database of its own and print its two tables."""
    argparse.ArgumentParser(
        prog="python -m chunk_bakeoff.element_experiment", description=__doc__
    ).parse_args(arguments)
    database = project_folder() / WAREHOUSE / "elements.duckdb"
    run_dbt(
        # Without the tests that also read what this run does not build.
        ["build", "--select", "+rpt_structure", "+rpt_sweep", "--indirect-selection", "buildable"],
        database=database,
        variables=experiment_variables(),
    )
    with duckdb.connect(str(database), read_only=True) as connection:
        report, ablation = (
            connection.sql(query).to_arrow_table().to_pandas() for query in (_REPORT, _ABLATION)
        )
    units = report.pop("source_units").iloc[0]
    print(f"\nStructured against fixed: {units} lexical units of source, chunks of {SIZE}\n")
    print(report.to_string(index=False))
    print("\nOverlap: of those of equal quality the one that repeats least\n")
    print(ablation.to_string(index=False))
    print(f"\n({database})")


def experiment_variables() -> dict[str, Any]:
    """The dbt variables that the experiment is."""
    folder = project_folder() / CORPUS
    variants = {
        model: {f"{name}_{SIZE}_{o}": {"size": SIZE, "overlap": o} for o in OVERLAPS}
        for model, name in SERIES.items()
    }
    return {
        "elements_path": str(folder / "elements.jsonl"),
        "questions_path": str(folder / "questions.jsonl"),
        "strategies": list(SERIES),
        "strategy_variants": variants,
        "embedding_models": [],
        "retrievers": ["term_overlap"],
        "token_budgets": [BUDGET],
        "default_budget": BUDGET,
        "baseline_strategy": f"{SERIES['elements_naive']}_{SIZE}_0",
        "sweep": {
            "name": "overlap",
            "points": {
                name: settings["overlap"]
                for group in variants.values()
                for name, settings in group.items()
            },
            "series": {name: model for model, group in variants.items() for name in group},
        },
    }


if __name__ == "__main__":
    main()
