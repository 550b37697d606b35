"""Edits replayed on two small documents, and what of them must be embedded again."""

from __future__ import annotations

import json

import duckdb
import pytest

from chunk_bakeoff import replay
from chunk_bakeoff.project import run_dbt

pytestmark = pytest.mark.slow

MARKDOWN = "## A\n\nalpha text one.\n\n## B\n\nbeta text two.\n\n## C\n\ngamma text three.\n"
NOTE = "One paragraph without headings."
DOCUMENTS = [
    {"doc_id": "guide", "text": MARKDOWN, "media_type": "text/markdown", "language": "en"},
    {"doc_id": "note", "text": NOTE, "media_type": "text/plain", "language": "en"},
]
QUESTION = {"question_id": "q", "question": "Which text?", "doc_id": "guide", "quote": "beta text"}


def test_shares_of_four_edits_by_hand(tmp_path, hashing_model):
    documents, questions = tmp_path / "documents.jsonl", tmp_path / "questions.jsonl"
    documents.write_text("".join(json.dumps(row) + "\n" for row in DOCUMENTS), "utf-8")
    questions.write_text(json.dumps(QUESTION), "utf-8")
    variables = {
        "documents_path": str(documents),
        "questions_path": str(questions),
        "embedding_models": [hashing_model],
        "strategies": ["sections_h2"],
    }
    database = tmp_path / "replay.duckdb"
    built = ("+int_chunks", "+int_corpus", "edit_replays")
    run_dbt(["--quiet", "run", "--select", *built], database=database, variables=variables)
    replay.main(["--database", str(database), "--vars", json.dumps(variables)])
    with duckdb.connect(str(database), read_only=True) as connection:
        found = connection.sql(
            "select edit, documents, texts, texts_to_embed from edit_replays order by edit"
        ).fetchall()
    assert found == [
        # The guide is three sections, the note is one; in both one changes.
        ("change_word", 2, 4, 2),
        # The note is one paragraph, which stays.
        ("delete_paragraph", 1, 3, 1),
        # A fourth section of the guide; the note is longer.
        ("insert_section", 2, 5, 2),
        # The note has no heading.
        ("rename_heading", 1, 3, 1),
    ]
    replay.replay(database, DOCUMENTS[1:], "rename_heading", variables, tmp_path)
    with duckdb.connect(str(database), read_only=True) as connection:
        assert connection.sql("select count(*) from edit_replays").fetchall() == [(4,)]
