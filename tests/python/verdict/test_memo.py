"""The memo of two builds of the same data."""

from __future__ import annotations

import json

import pytest

from chunk_bakeoff.memo import memo
from chunk_bakeoff.project import run_dbt

BUILD = ["build", "--quiet"]
BUILD += ["--exclude-resource-type", "test", "--exclude-resource-type", "unit_test"]
DOCUMENTS = {
    "keys": "# Keys\n\nThe red key opens gate two.\n\n## Loss\n\nReport a lost key to the porter.",
    "gates": "# Gates\n\nGate two is shut at nine.\n\n## Night\n\nThe porter opens it at night.",
}
QUESTIONS = [
    ("Which key opens gate two?", "keys", "The red key opens gate two."),
    ("Whom do I tell that a key is lost?", "keys", "Report a lost key to the porter."),
    ("When is gate two shut?", "gates", "Gate two is shut at nine."),
    ("Who opens the gate at night?", "gates", "The porter opens it at night."),
]


@pytest.fixture
def variables(tmp_path, hashing_model):
    """Two small documents, three strategies, and vectors that need no weights."""
    for doc_id, text in DOCUMENTS.items():
        (tmp_path / f"{doc_id}.md").write_text(text, "utf-8")
    lines = [
        {"question_id": f"q{number}", "question": question}
        | {"spans": [{"doc_id": doc_id, "quote": quote}]}
        for number, (question, doc_id, quote) in enumerate(QUESTIONS)
    ]
    questions = tmp_path / "questions.jsonl"
    questions.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    return {
        "documents_path": str(tmp_path / "*.md"),
        "questions_path": str(questions),
        "embedding_models": [hashing_model],
        "strategies": ["fixed", "structure"],
        "strategy_variants": {"fixed": {"fixed_16_0": {"size": 16}}},
        "baseline_strategy": "fixed_16_0",
    }


def test_two_builds_of_the_same_data_give_the_same_memo(tmp_path, variables):
    database = tmp_path / "memo.duckdb"
    texts = []
    for _ in range(2):
        run_dbt(BUILD, database=database, variables=variables)
        texts.append(memo(database).splitlines())
    varying = ("- Date: ", "- Run: ")
    assert sum(line.startswith(varying) for line in texts[0]) == 2
    first, second = ([line for line in text if not line.startswith(varying)] for text in texts)
    assert first == second
    assert texts[0] != texts[1]
    assert any(line.startswith("**Ship ") for line in first)
    # Those of the bundled corpus say nothing about other documents.
    assert any(line.startswith("None was written down before the run") for line in first)
