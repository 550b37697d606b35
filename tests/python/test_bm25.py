"""BM25 in SQL against bm25s, on the bundled corpus and on the references where they are."""

import os
from pathlib import Path

import bm25s
import duckdb
import numpy as np
import pytest
from small_builds import build_with
from support import REPO

from chunk_bakeoff.lexical import lexical_units

REFERENCES = Path(os.environ.get("REFERENCES", REPO / "../shared/reference"))
SETTINGS = {"k1": 1.2, "b": 0.75}
CORPORA = {
    "bundled": {},
    "cargo": {"cleaning_steps": ["drop_link_definitions"]},
    "lab_handbook": {},
}


@pytest.fixture(scope="module", params=CORPORA)
def scored(request, tmp_path_factory):
    name = request.param
    folder = REFERENCES / name
    variables = {
        "embedding_models": [],
        "retrievers": ["bm25"],
        "bm25": SETTINGS,
        "strategies": ["fixed", "structure", "parent_child_chars"],
        **CORPORA[name],
    }
    if name != "bundled":
        if not folder.is_dir():
            pytest.skip(f"there is no folder {folder}: the references were not run")
        variables["documents_path"] = str(folder / "*.md")
        variables["questions_path"] = str(folder / "questions.jsonl")
    result = build_with(tmp_path_factory.mktemp(name), variables, "+int_scores_bm25")
    with duckdb.connect(str(result.database), read_only=True) as connection:
        yield connection


@pytest.mark.slow
def test_scores_are_those_of_bm25s_over_what_the_asker_may_see(scored):
    audiences = scored.execute(
        "select distinct audience, access_keys from int_audiences"
    ).fetchall()
    strategies = scored.execute("select distinct strategy from int_chunks").fetchall()
    stored = stored_scores(scored)
    compared = 0
    for audience, access_keys in audiences:
        questions = scored.execute(
            """
            select question_id, question from stg_questions
            where question_id in (select question_id from int_audiences where audience = ?)
            order by question_id
            """,
            [audience],
        ).fetchall()
        for (strategy,) in strategies:
            chunks = scored.execute(
                """
                select chunk_id, context_id, embed_text from int_chunks
                where strategy = ? and list_contains(?, access_key)
                order by chunk_id
                """,
                [strategy, access_keys],
            ).fetchall()
            oracle = bm25s.BM25(method="lucene", dtype="float64", **SETTINGS)
            oracle.index([lexical_units(text) for _, _, text in chunks], show_progress=False)
            for question_id, question in questions:
                known = [u for u in lexical_units(question) if u in oracle.vocab_dict]
                expected = oracle.get_scores(known) if known else np.zeros(len(chunks))
                found = stored.get((strategy, question_id), {})
                compared += compare(found, chunks, expected)
    assert compared > 1000


def stored_scores(scored):
    """Scores by chunk, by strategy and question."""
    found = {}
    query = "select strategy, question_id, chunk_id, score from int_scores_bm25"
    for strategy, question_id, chunk_id, score in scored.execute(query).fetchall():
        found.setdefault((strategy, question_id), {})[chunk_id] = score
    return found


def compare(stored, chunks, expected):
    """Compare the stored scores, and check that no better context was left out."""
    delivered = {context_id for chunk_id, context_id, _ in chunks if chunk_id in stored}
    lowest = min(stored.values(), default=0.0)
    for (chunk_id, context_id, _), score in zip(chunks, expected, strict=True):
        if chunk_id in stored:
            assert abs(stored[chunk_id] - score) <= 1e-6
        elif context_id not in delivered:
            assert score <= lowest + 1e-6
    return len(stored)
