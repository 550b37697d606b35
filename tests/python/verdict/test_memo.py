"""The memo of two builds of the same data."""

from __future__ import annotations

import json

import duckdb
import pytest

from chunk_bakeoff.memo import Reader, _cell, _p_value, memo, sweeps
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
    for options in ([], ["--full-refresh"]):
        run_dbt([*BUILD, *options], database=database, variables=variables)
        texts.append(memo(database).splitlines())
    varying = ("- Date: ", "- Run: ")
    assert sum(line.startswith(varying) for line in texts[0]) == 2
    first, second = ([line for line in text if not line.startswith(varying)] for text in texts)
    assert first == second
    assert texts[0] != texts[1]
    assert any(line.startswith("**Ship ") for line in first)
    # Those of the bundled corpus say nothing about other documents.
    assert any(line.startswith("None was written down before the run") for line in first)
    # The history keeps the first run through a full refresh.
    histories = ("fct_metric_history", "fct_outcome_history", "fct_document_history")
    with duckdb.connect(str(database), read_only=True) as connection:
        for history in histories:
            runs = connection.execute(f"select count(distinct run_id) from {history}").fetchall()
            assert runs == [(2,)], history


def make_sweep(path, corpus: str, points: dict[str, float]) -> None:
    """A database with what the memo reads of a sweep: setting and recall; the first is chosen."""
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"create table int_corpus as select '{corpus}' as corpus_hash")
        connection.execute(
            "alter table int_corpus add column question_set_hash varchar default 'q'"
        )
        rows = ", ".join(
            f"({position}, '{setting}', {recall}, {position == 1})"
            for position, (setting, recall) in enumerate(points.items(), 1)
        )
        connection.execute(
            f"""
            create table rpt_sweep as
            select
                '{path.stem}' as sweep, '{path.stem}' as series, position, setting,
                's_' || setting as config_id, 's_' || setting as strategy, 'span' as label_kind,
                10 as chunks, 20 as embed_tokens, cast(recall as double) as recall_at_5,
                cast(recall as double) as recall_at_budget, 30 as context_tokens_at_5,
                cast(0 as double) as repeated_share_at_5,
                0 as gained, 1 as lost, if(is_chosen, 1.0, 2e-6) as p_value, true as is_equal,
                 is_chosen
            from (values {rows}) as points(position, setting, recall, is_chosen)
            """
        )


def test_the_memo_takes_over_the_sweeps_of_its_corpus(tmp_path):
    folder = tmp_path / "sweeps"
    folder.mkdir()
    make_sweep(folder / "overlap.duckdb", "this", {"0": 0.5, "32": 0.0625})
    make_sweep(folder / "another.duckdb", "that", {"64": 0.25})
    duckdb.connect(str(folder / "killed.duckdb")).close()
    with duckdb.connect() as connection:
        connection.execute(f"attach '{folder / 'overlap.duckdb'}' as built (read_only)")
        connection.execute("create table int_corpus as from built.int_corpus")
        connection.execute("create table rpt_sweep as from built.rpt_sweep limit 0")
        connection.execute("detach built")
        reader = Reader(connection)
        lines = [line for line in sweeps(reader, folder) if line.startswith("| overlap")]
        assert lines == [
            "| overlap | overlap | 0 | s_0 | span | 10 | 20 | 0.500 | 0.500 | 30 | 0.000 | 0 | 1 "
            "| 1.0000 | yes | yes |",
            "| overlap | overlap | 32 | s_32 | span | 10 | 20 | 0.062 | 0.062 | 30 | 0.000 | 0 | 1 "
            "| < 0.0001 | yes |  |",
        ]
        assert not any("another" in line for line in sweeps(reader, folder))
        (sentence,) = (line for line in sweeps(reader, tmp_path) if line.startswith("No sweep"))
        assert "make sweep" in sentence


def test_the_last_bit_of_a_mean_decides_nothing():
    # One question in eighty, and the nearest smaller number.
    assert _cell(0.0125) == _cell(0.012499999999999999) == "0.013"


def test_a_p_value_is_never_written_as_zero():
    assert _p_value(30 / 16384) == "= 0.0018"
    assert _p_value(2 / 2**20) == "< 0.0001"
