import duckdb
import pytest

from chunk_bakeoff.batches import map_batches
from chunk_bakeoff.golden import RESOLVED_SCHEMA, resolve_anchor, resolver


def resolved(documents, *spans):
    columns = (
        "question_id varchar, label_kind varchar, span_index bigint, doc_id varchar, "
        "quote varchar, occurrence bigint, char_start bigint, section varchar"
    )
    with duckdb.connect() as connection:
        connection.execute("create table documents (doc_id varchar, text varchar)")
        connection.executemany("insert into documents values (?, ?)", list(documents.items()))
        connection.execute(f"create table spans ({columns})")
        connection.executemany("insert into spans values (?, ?, ?, ?, ?, ?, ?, ?)", spans)
        resolve = resolver(connection.table("documents"))
        return (
            map_batches(connection.table("spans"), resolve, RESOLVED_SCHEMA).read_all().to_pylist()
        )


DOCUMENTS = {"d1": "One key. Two keys.", "d2": "Cafe\u0301 key"}


def test_spans():
    rows = resolved(
        DOCUMENTS,
        ("q1", "span", 1, "d1", "One key", None, None, None),
        ("q2", "span", 1, "d1", "key", None, None, None),
        ("q2", "span", 2, "d1", "key", 2, None, None),
        ("q3", "span", 1, "d1", "One kez.", None, None, None),
        ("q4", "span", 1, "d2", "Caf\u00e9", None, None, None),
        ("q5", "span", 1, "d3", "key", None, None, None),
        ("q6", "span", 1, "d1", None, None, None, None),
        ("q7", "span", 1, None, "key", None, None, None),
    )
    assert [
        (r["question_id"], r["status"], r["char_start"], r["char_end"], r["occurrence_starts"])
        for r in rows
    ] == [
        ("q1", "ok", 0, 7, [0]),
        ("q2", "ambiguous", None, None, [4, 13]),
        ("q2", "ok", 13, 16, [4, 13]),
        ("q3", "not_found", None, None, []),
        ("q4", "nfc_mismatch", None, None, []),
        ("q5", "unknown_document", None, None, []),
        ("q6", "invalid_empty", None, None, []),
        ("q7", "unknown_document", None, None, []),
    ]
    assert [r["occurrence_count"] for r in rows] == [1, 2, 2, 0, 0, 0, 0, 0]
    by_question = {row["question_id"]: row for row in rows}
    assert by_question["q1"]["nearest_passage"] is None
    not_found = by_question["q3"]
    assert (not_found["nearest_passage"], not_found["nearest_distance"]) == ("One key.", 1)
    # Of the passage that was probably meant the place is given, not a score.
    meant = by_question["q4"]
    assert (meant["nearest_passage"], meant["nearest_start"]) == ("Cafe\u0301", 0)


def test_anchors_count_everywhere_and_ignore_case():
    rows = resolved(
        DOCUMENTS,
        ("q1", "anchor", 1, "d1", "KEY", None, None, None),
        ("q2", "anchor", 1, None, "lock", None, None, None),
    )
    assert [(r["status"], r["occurrence_count"], r["char_start"]) for r in rows] == [
        ("ok", 3, None),
        ("not_found", 0, None),
    ]


@pytest.mark.parametrize("anchor", ["", " \xa0"])
def test_an_empty_anchor_matches_nothing(anchor):
    assert resolve_anchor({"d": "text"}, anchor) == {
        "status": "invalid_empty",
        "occurrence_count": 0,
    }
