"""Score your own files: `python -m chunk_bakeoff.score --documents '*.md' --questions q.jsonl`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb

from chunk_bakeoff.documents import CLEANING_STEPS
from chunk_bakeoff.errors import UserError
from chunk_bakeoff.inputs import read_documents, read_questions
from chunk_bakeoff.project import BUILD, PROJECT_NAME, WAREHOUSE, project_folder, run_dbt, was_built

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
# The bundled corpus, and what DuckDB or dbt calls something else.
_TAKEN = (PROJECT_NAME, "main", "memory", "system", "temp")
_SHOWN_PLACES = 5


def main(arguments: Sequence[str] | None = None) -> None:
    """Build the marts for the given files and print the leaderboard."""
    options = _parser().parse_args(arguments)
    try:
        variables = _variables(options)
    except UserError as error:
        raise SystemExit(str(error)) from error
    database = project_folder() / WAREHOUSE / f"{options.name}.duckdb"
    try:
        run_dbt(BUILD, database=database, variables=variables)
    finally:
        # A test that failed leaves the marts built: show them, and what the tests may mean.
        if was_built("rpt_strategy_leaderboard", database):
            print("\n".join([leaderboard(database), *unresolved(database)]))
            print(f"\nAll marts are in {database}")


def _variables(options: argparse.Namespace) -> dict[str, Any]:
    """The settings for dbt, checked beforehand, because dbt takes a while to get there.

    Raises:
        UserError: a file cannot be read, or a name is unknown or taken.
    """
    if not _NAME.fullmatch(options.name) or options.name.lower() in _TAKEN:
        raise UserError(
            f"--name {options.name!r}: begin with a letter, go on with letters, digits, - and _; "
            f"these are taken: {', '.join(_TAKEN)}"
        )
    strategies, steps = options.strategies.split(), options.cleaning.split()
    folder = project_folder() / "models" / "strategies"
    _refuse_unknown("--strategies", strategies, {file.stem for file in folder.glob("[!_]*.*")})
    _refuse_unknown("--cleaning", steps, set(CLEANING_STEPS))
    read_documents(options.documents)
    read_questions(options.questions)
    return {
        "documents_path": options.documents,
        "questions_path": options.questions,
        "cleaning_steps": steps,
        **({"strategies": strategies} if strategies else {}),
    }


def _refuse_unknown(option: str, given: Sequence[str], known: set[str]) -> None:
    unknown = [name for name in given if name not in known]
    if unknown:
        raise UserError(f"{option}: unknown {unknown}; known: {', '.join(sorted(known))}")


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
            over_limit_chunks, n_scored, n_given, count_unit
        from rpt_strategy_leaderboard
        order by label_kind desc, recall_at_budget desc, context_tokens_at_5, config_id
    """
    with duckdb.connect(str(database), read_only=True) as connection:
        rows = connection.execute(query).df()
    if rows.empty:
        return "No question could be scored."
    return rows.to_string(index=False)


def unresolved(database: Path) -> list[str]:
    """A line for every piece of evidence that is not scored, with what may have been meant."""
    query = """
        select
            question_id, label_kind, span_index, doc_id, status, quote, nearest_passage,
            occurrence_starts
        from stg_golden_spans where status != 'ok'
        order by question_id, label_kind, span_index
    """
    with duckdb.connect(str(database), read_only=True) as connection:
        rows = connection.execute(query).fetchall()
    lines = []
    for question_id, label_kind, span_index, doc_id, status, quote, nearest, starts in rows:
        if status == "ambiguous":
            places = ", ".join(map(str, starts[:_SHOWN_PLACES]))
            more = ", ..." if len(starts) > _SHOWN_PLACES else ""
            meant = f"; it begins at {places}{more}: name one by occurrence or char_start"
        else:
            meant = f"; did you mean {nearest!r}?" if nearest else ""
        place = f"question {question_id}, {label_kind} {span_index}, document {doc_id}"
        lines.append(f"not scored: {place}: {status}: {quote!r}{meant}")
    return lines


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
