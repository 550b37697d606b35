from __future__ import annotations

import duckdb
import pytest

from chunk_bakeoff.documents import Document
from chunk_bakeoff.replay import COUNT, shares
from chunk_bakeoff.verdict.edits import EDITS, NEW_SECTION

TEXT = (
    "# Title\n\nFirst words.\n\n## Setup\n\nInstall the thing.\nThen run it.\n\n"
    "## Use\n\nCall it.\n"
)


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ("insert_section", TEXT.replace("## Setup", f"## {NEW_SECTION}## Setup")),
        # Title First words Setup [Install] thing Then Call: the words of at least four letters
        ("change_word", TEXT.replace("Install", "reworded")),
        ("delete_paragraph", TEXT.replace("Install the thing.\nThen run it.\n\n", "")),
        ("rename_heading", TEXT.replace("## Setup", "## Setup as revised")),
    ],
)
def test_edits_by_hand(edit, expected):
    assert EDITS[edit](Document(TEXT)) == expected


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("text", ["", "x", "# Only a heading", "plain\n\nwords here"])
def test_small_documents_are_edited_or_left_alone(edit, text):
    assert isinstance(EDITS[edit](Document(text)), str)


def test_every_bundled_document_takes_the_edits(corpus):
    for doc_id, text in corpus.items():
        document = Document(text, doc_id)
        for edit in ("insert_section", "change_word", "delete_paragraph"):
            assert EDITS[edit](document) != text, (doc_id, edit)


def test_a_replay_counts_the_texts_that_nothing_has_yet():
    with duckdb.connect() as connection:
        connection.execute("attach ':memory:' as scratch")
        connection.execute(
            """
            create table int_corpus as select 'corpus' as corpus_hash;
            create table edit_replays (
                corpus_hash varchar, strategy varchar, settings varchar, edit varchar,
                documents bigint, texts bigint, texts_to_embed bigint, replayed_at timestamp
            );
            create table int_chunks as
            from (values
                ('cut', '{"size": 9}', 'a'), ('cut', '{"size": 9}', 'b'),
                ('cut', '{"size": 9}', 'c'),
                ('whole', '{}', 'abc')
            ) as chunks(strategy, settings, embedding_key);
            create table scratch.int_strategy_chunks as
            from (values
                -- One text of three is new; another stands twice in its document.
                ('cut', 'd', 'a'), ('cut', 'd', 'new'), ('cut', 'd', 'c'), ('cut', 'd', 'c'),
                -- Of another document nothing is new: it has a text that d had.
                ('cut', 'e', 'b'),
                -- What another strategy has embedded is not this one's.
                ('whole', 'd', 'a'), ('whole', 'e', 'abc')
            ) as chunks(strategy, doc_id, embedding_key)
            """
        )
        connection.execute(COUNT, ["change_word"])
        rows = connection.execute(
            "select * exclude (replayed_at) from edit_replays order by strategy"
        ).fetchall()
        table = shares(connection)
    assert rows == [
        ("corpus", "cut", '{"size": 9}', "change_word", 2, 4, 1),
        ("corpus", "whole", "{}", "change_word", 2, 2, 1),
    ]
    assert [line.split() for line in table.splitlines()] == [
        ["strategy", "change_word"],
        ["cut", "0.25"],
        ["whole", "0.50"],
    ]
