"""What is embedded again after a section of two lines was inserted near the top of one page."""

import csv
import glob
import shutil
from pathlib import Path

import duckdb
from measuring import Workspace, print_table

from chunk_bakeoff.markdown import headings

SECTION = "## A note\nThis note was added after everything else had been embedded.\n\n"
# Two strategies tell the whole story.
STRATEGIES = {
    "strategies": ["fixed", "structure"],
    "strategy_variants": {
        "fixed": {"fixed_128_0": {"size": 128}},
        "structure": {"structure_path": {"path": True}},
    },
}


def measure(workspace: Workspace) -> None:
    """Print, per strategy, the texts of the page and those that the edit made new."""
    name = "edited"
    shutil.copy(workspace.database(workspace.built), workspace.database(name))
    # Whatever the corpus was built with: now everything but the edit is embedded.
    workspace.build(name, **STRATEGIES)
    folder = workspace.folder / "edited_documents"
    folder.mkdir()
    path, page = _edit(workspace.corpus.documents_path, folder)
    workspace.build(name, workspace.edited(path), **STRATEGIES)
    query = """
        with last_run as (select run_id from int_embedding_run limit 1)
        select
            chunks.strategy,
            count(distinct chunks.embedding_key) as texts,
            count(distinct chunks.embedding_key)
                filter (where store.run_id = last_run.run_id) as embedded_again
        from int_chunks as chunks
        inner join embedding_store as store
            on chunks.embedding_key = store.embedding_key and store.text_kind = 'passage'
        cross join last_run
        where chunks.doc_id = ?
        group by chunks.strategy
        order by chunks.strategy
    """
    with duckdb.connect(str(workspace.database(name)), read_only=True) as connection:
        rows = connection.execute(query, [page]).fetchall()
    print(f"{workspace.corpus.name}, a section inserted in {page}:")
    print_table(("", "texts of the page", "embedded again"), rows)


def _edit(documents_path: str, folder: Path) -> tuple[str, str]:
    """Copy the documents with the section in the longest page.

    Returns:
        The glob of the copies, and the page's id.
    """
    files = [Path(file) for file in sorted(glob.glob(documents_path))]
    if files[0].suffix == ".csv":
        return _edit_table(files[0], folder / "documents.csv")
    longest = max(files, key=lambda file: file.stat().st_size)
    for file in files:
        text = file.read_bytes().decode("utf-8")
        (folder / file.name).write_bytes((_insert(text) if file == longest else text).encode())
    return str(folder / "*.md"), longest.stem


def _edit_table(source: Path, copy: Path) -> tuple[str, str]:
    with source.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    longest = max(
        (row for row in rows if len(headings(row["text"])) > 1), key=lambda row: len(row["text"])
    )
    longest["text"] = _insert(longest["text"])
    with copy.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return str(copy), longest["doc_id"]


def _insert(text: str) -> str:
    place = headings(text)[1].start
    return text[:place] + SECTION + text[place:]
