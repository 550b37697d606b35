import duckdb
import pytest
from support import REPO

from chunk_bakeoff import score
from chunk_bakeoff.score import leaderboard, main, unresolved


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Two documents and a question; the working directory is their folder."""
    (tmp_path / "a.md").write_text("# A\n", "utf-8")
    (tmp_path / "b.md").write_text("# B\n", "utf-8")
    row = '{"question_id": "q", "question": "?", "doc_id": "a", "quote": "A"}\n'
    (tmp_path / "q.jsonl").write_text(row, "utf-8")
    monkeypatch.chdir(tmp_path)
    return ["--documents", "*.md", "--questions", "q.jsonl"]


@pytest.fixture
def ran(monkeypatch):
    """Calls of dbt that were made; nothing is built."""
    calls = []
    monkeypatch.setattr(score, "run_dbt", lambda *a, **settings: calls.append((a, settings)))
    monkeypatch.setattr(score, "was_built", lambda model, database: False)
    return calls


def test_the_settings_for_dbt(files, ran):
    main(files)
    ((arguments, settings),) = ran
    assert arguments == (("build", "--exclude-resource-type", "unit_test"),)
    assert settings["database"] == REPO / "warehouse" / "trial.duckdb"
    assert settings["variables"] == {
        "documents_path": "*.md",
        "questions_path": "q.jsonl",
        "cleaning_steps": [],
    }


def test_all_options(files, ran):
    main([*files, "--name", "my-2", "--strategies", "fixed structure",
          "--cleaning", "drop_link_definitions normalize_line_endings"])  # fmt: skip
    ((_, settings),) = ran
    assert settings["database"].name == "my-2.duckdb"
    assert settings["variables"]["strategies"] == ["fixed", "structure"]
    steps = ["drop_link_definitions", "normalize_line_endings"]
    assert settings["variables"]["cleaning_steps"] == steps


@pytest.mark.parametrize("missing", ["--documents", "--questions"])
def test_both_files_must_be_given(files, ran, missing, capsys):
    at = files.index(missing)
    with pytest.raises(SystemExit) as stopped:
        main(files[:at] + files[at + 2 :])
    assert stopped.value.code == 2
    assert f"required: {missing}" in capsys.readouterr().err
    assert ran == []


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--name", "../main"], r"--name '\.\./main': begin with a letter"),
        (["--name", ""], "--name ''"),
        (["--name", "2nd"], "--name '2nd'"),
        (["--name", "Chunk_Bakeoff"], "these are taken: chunk_bakeoff"),
        (["--name", "main"], "are taken"),
        (["--strategies", "fixed fancy"], r"--strategies: unknown \['fancy'\]; known: .*, fixed, "),
        (["--cleaning", "scrub"], r"--cleaning: unknown \['scrub'\]; known: drop_link_def"),
        (["--documents", "*.rst"], "documents_path: no file matches"),
        (["--questions", "none.jsonl"], "questions_path: no file matches"),
        (["--questions", "a.md"], "unknown kind of file"),
    ],
)
def test_mistakes_are_told_before_dbt_runs(files, ran, options, complaint):
    with pytest.raises(SystemExit, match=complaint):
        main([*files, *options])
    assert ran == []


def test_the_result_is_shown_although_a_test_failed(files, monkeypatch, capsys):
    def failing(*arguments, **settings):
        raise SystemExit("dbt build failed")

    monkeypatch.setattr(score, "run_dbt", failing)
    monkeypatch.setattr(score, "was_built", lambda model, database: True)
    monkeypatch.setattr(score, "leaderboard", lambda database: "the leaderboard")
    monkeypatch.setattr(score, "unresolved", lambda database: ["not scored: q"])
    with pytest.raises(SystemExit, match="dbt build failed"):
        main(files)
    printed = capsys.readouterr().out
    assert "the leaderboard\nnot scored: q\n" in printed
    assert "trial.duckdb" in printed


def test_the_leaderboard_is_in_order(tmp_path):
    database = tmp_path / "a.duckdb"
    with duckdb.connect(str(database)) as connection:
        connection.execute(
            """
            create table rpt_strategy_leaderboard as
            select
                strategy, strategy as config_id, 'dense' as retriever, 'm' as embedding_model,
                label_kind, 7 as chunks, 70 as embed_tokens, 0.25 as recall_at_1,
                0.55555 as recall_at_5, 0.5 as mrr, recall_at_budget, context_tokens_at_5,
                0 as over_limit_chunks, 3 as n_scored, 4 as n_given,
                'tokens' as count_unit
            from (values
                ('worse', 'span', 0.4, 100.0), ('best', 'span', 0.9, 300.0),
                ('dear', 'span', 0.6, 200.0), ('cheap', 'span', 0.6, 150.4),
                ('by_anchor', 'anchor', 1.0, 10.0)
            ) as t (strategy, label_kind, recall_at_budget, context_tokens_at_5)
            """
        )
    header, *rows = leaderboard(database).splitlines()
    assert header.split()[:5] == [
        "strategy",
        "retriever",
        "embedding_model",
        "label_kind",
        "chunks",
    ]
    assert [row.split()[0] for row in rows] == ["best", "cheap", "dear", "worse", "by_anchor"]
    assert rows[1].split() == [
        "cheap", "dense", "m", "span", "7", "70", "0.25", "0.556", "0.5", "0.6", "150.0", "0", "3",
        "4", "tokens",
    ]  # fmt: skip


def test_evidence_that_is_not_scored_is_listed(tmp_path):
    database = tmp_path / "a.duckdb"
    with duckdb.connect(str(database)) as connection:
        connection.execute(
            """
            create table stg_golden_spans as
            select * from (values
                ('q2', 'span', 1, 'd', 'not_found', 'One kez', 'One key', []),
                ('q1', 'span', 2, 'x', 'unknown_document', 'b', null, []),
                ('q3', 'span', 1, 'd', 'ok', 'c', null, [7]),
                ('q4', 'span', 1, 'd', 'ambiguous', 'a', null, [0, 9]),
                ('q5', 'span', 1, 'd', 'ambiguous', 'e', null, [1, 2, 3, 4, 5, 6])
            ) as t (
                question_id, label_kind, span_index, doc_id, status, quote, nearest_passage,
                occurrence_starts
            )
            """
        )
    assert unresolved(database) == [
        "not scored: question q1, span 2, document x: unknown_document: 'b'",
        "not scored: question q2, span 1, document d: not_found: 'One kez'; "
        "did you mean 'One key'?",
        "not scored: question q4, span 1, document d: ambiguous: 'a'; "
        "it begins at 0, 9: name one by occurrence or char_start",
        "not scored: question q5, span 1, document d: ambiguous: 'e'; "
        "it begins at 1, 2, 3, 4, 5, ...: name one by occurrence or char_start",
    ]
