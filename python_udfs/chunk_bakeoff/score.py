"""Score your own files: `python -m chunk_bakeoff.score --documents '*.md' --questions q.jsonl`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

import duckdb

from chunk_bakeoff.project import PROJECT_NAME, WAREHOUSE, project_folder, run_dbt

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def main(arguments: Sequence[str] | None = None) -> None:
    """Build the marts for the given files and print the leaderboard."""
    options = _parser().parse_args(arguments)
    if not _NAME.fullmatch(options.name) or options.name == PROJECT_NAME:
        raise SystemExit(
            f"--name {options.name!r}: letters, digits, - and _ are allowed, and "
            f"{PROJECT_NAME!r} is the bundled corpus"
        )
    variables = {
        "documents_path": _absolute(options.documents),
        "questions_path": _absolute(options.questions),
        "cleaning_steps": options.cleaning.split(),
    }
    if options.strategies:
        variables["strategies"] = options.strategies.split()
    database = project_folder() / WAREHOUSE / f"{options.name}.duckdb"
    run_dbt(["build"], database=database, variables=variables)
    print(leaderboard(database))
    print(f"\nAll marts are in {database}")


def leaderboard(database: Path) -> str:
    """The leaderboard as a text table, best recall at the default budget first."""
    query = """
        select
            strategy, retriever, embedding_model, label_kind, chunks, embed_tokens,
            round(recall_at_1, 3) as recall_at_1,
            round(recall_at_5, 3) as recall_at_5,
            round(mrr, 3) as mrr,
            round(recall_at_budget, 3) as recall_at_budget,
            round(context_tokens_at_5) as context_tokens_at_5,
            over_limit_chunks, n_scored, n_given
        from rpt_strategy_leaderboard
        order by label_kind desc, recall_at_budget desc, context_tokens_at_5, config_id
    """
    with duckdb.connect(str(database), read_only=True) as connection:
        return connection.execute(query).df().to_string(index=False)


def _absolute(pattern: str) -> str:
    return str(Path.cwd() / Path(pattern).expanduser())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m chunk_bakeoff.score", description=__doc__)
    parser.add_argument("--documents", required=True, help="a glob of files; quote it")
    parser.add_argument("--questions", required=True, help="a JSON Lines, CSV or Parquet file")
    parser.add_argument("--name", default="trial", help="of the database in warehouse/")
    parser.add_argument("--strategies", default="", help="strategy models, separated by spaces")
    parser.add_argument("--cleaning", default="", help="cleaning steps, separated by spaces")
    return parser


if __name__ == "__main__":
    main()
