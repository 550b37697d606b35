"""Replay typical edits and count what must be embedded again: `python -m chunk_bakeoff.replay`."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from chunk_bakeoff.documents import Document
from chunk_bakeoff.project import PROJECT_NAME, WAREHOUSE, project_folder, run_dbt
from chunk_bakeoff.verdict.edits import EDITS

CARRIED = ("title", "media_type", "doc_type", "language", "source_system")


def main(arguments: Sequence[str] | None = None) -> None:
    """Cut an edited copy of the corpus per edit, compare with what is indexed, store the counts."""
    options = _parser().parse_args(arguments)
    database = options.database or project_folder() / WAREHOUSE / f"{PROJECT_NAME}.duckdb"
    if not Path(database).is_file():
        raise SystemExit(
            f"there is no database {database}; run dbt build first, or name another with DATABASE="
        )
    variables = json.loads(options.vars)
    with duckdb.connect(str(database), read_only=True) as connection:
        documents = list(read_documents(connection))
    # One folder for all edits: with the same paths dbt need not parse the project again.
    with tempfile.TemporaryDirectory() as folder:
        for edit in EDITS:
            replay(Path(database), documents, edit, variables, Path(folder))
    with duckdb.connect(str(database), read_only=True) as connection:
        print(shares(connection))


def read_documents(connection: duckdb.DuckDBPyConnection) -> Iterator[dict[str, Any]]:
    """The documents of the last build, with the columns that strategies may read."""
    relation = connection.sql(f"select doc_id, text, acl, {', '.join(CARRIED)} from stg_documents")
    for row in relation.to_arrow_table().to_pylist():
        yield {**row, "acl": "|".join(row["acl"])}


def replay(
    database: Path,
    documents: Sequence[Mapping[str, Any]],
    edit: str,
    variables: Mapping[str, Any],
    folder: Path,
) -> None:
    """Cut the edited documents with every strategy in a scratch database, and store the counts.

    Only documents that the edit changes count; where it changes none, nothing is stored.

    Args:
        database: of the build.
        documents: rows of `read_documents`.
        edit: one of `EDITS`.
        variables: the dbt variables of the build.
        folder: for the edited documents and the scratch database.
    """
    edited = [
        {**row, "text": text} for row in documents if (text := _edited(row, edit)) != row["text"]
    ]
    if not edited:
        return
    source = folder / "documents.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in edited), "utf-8")
    scratch = folder / "scratch.duckdb"
    scratch.unlink(missing_ok=True)
    settings = {**variables, "documents_path": str(source), "documents_relation": None}
    # The text is canonical already.
    settings["cleaning_steps"] = []
    run_dbt(
        ["--quiet", "run", "--select", "+int_strategy_chunks"],
        database=scratch,
        variables=settings,
    )
    with duckdb.connect(str(database)) as connection:
        connection.execute(f"attach '{scratch}' as scratch (read_only)")
        connection.execute(COUNT, [edit])


# A text is known when the document's own chunks, or any other, already have it.
COUNT = """
    insert into edit_replays
    with known as (
        select distinct strategy, embedding_key from int_chunks
    ),
    variants as (
        select distinct strategy, cast(settings as varchar) as settings from int_chunks
    ),
    edited as (
        select distinct strategy, doc_id, embedding_key
        from scratch.main.int_strategy_chunks
    )
    select
        (select corpus_hash from int_corpus), edited.strategy, variants.settings, ?,
        count(distinct edited.doc_id), count(*),
        count(*) filter (where known.embedding_key is null),
        cast(now() at time zone 'utc' as timestamp)
    from edited
    inner join variants using (strategy)
    left join known using (strategy, embedding_key)
    group by edited.strategy, variants.settings
"""


def shares(connection: duckdb.DuckDBPyConnection) -> str:
    """The share to embed again per strategy and edit, of the latest replay, as a text table."""
    query = """
        pivot (
            select strategy, edit, round(arg_max(texts_to_embed / texts, replayed_at), 3) as share
            from edit_replays inner join int_corpus using (corpus_hash) group by strategy, edit
        ) on edit using any_value(share) order by strategy
    """
    return connection.sql(query).df().to_string(index=False)


def _edited(row: Mapping[str, Any], edit: str) -> str:
    return EDITS[edit](Document(row["text"], row["doc_id"], row["media_type"], row["language"]))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m chunk_bakeoff.replay", description=__doc__)
    parser.add_argument("--database", type=Path, help="of the build; by default the bundled corpus")
    parser.add_argument("--vars", default="{}", help="JSON: the settings the build ran with")
    return parser


if __name__ == "__main__":
    main()
