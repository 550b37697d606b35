import datetime as dt
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from chunk_bakeoff.inputs import DOCUMENT_SCHEMA, EVIDENCE_SCHEMA, read_documents, read_questions


@pytest.fixture
def write(tmp_path):
    """Write files below a folder and give its path."""

    def write_files(**files):
        for name, content in files.items():
            path = tmp_path / name.replace("__", "/")
            path = path.with_name(path.name.replace("_", "."))
            path.parent.mkdir(exist_ok=True)
            lines = "\n".join(map(json.dumps, content)) if isinstance(content, list) else content
            path.write_bytes(lines.encode())
        return tmp_path

    return write_files


def documents(pattern):
    return read_documents(str(pattern)).to_pylist()


def questions(path):
    return read_questions(str(path)).to_pylist()


def test_a_file_is_a_document(write):
    folder = write(a_md="# A\r\n", sub__b_txt="\ufeffB", c_markdown="")
    rows = documents(folder / "**" / "*")
    assert [(r["doc_id"], r["text"], r["media_type"]) for r in rows] == [
        ("a", "# A\r\n", "text/markdown"),
        ("c", "", "text/markdown"),
        ("b", "\ufeffB", "text/plain"),
    ]
    assert {row["acl"] for row in rows} == {"public"}
    assert {row["source_system"] for row in rows} == {"files"}


def test_a_table_holds_documents(write):
    folder = write(
        d_csv="doc_id,text,acl,team\n001,x,a|b,core\n002,,public,\n",
        e_jsonl=[
            {"doc_id": 7, "text": "y", "revision": 3, "acl": ["b", "a"], "draft": False},
            {"doc_id": "8", "text": "z", "updated_at": None, "meta": {"k": ["é"]}},
        ],
    )
    table = read_documents(str(folder / "*"))
    assert table.schema.names == [*DOCUMENT_SCHEMA.names, "draft", "meta", "team"]
    rows = {row["doc_id"]: row for row in table.to_pylist()}
    assert list(rows) == ["001", "002", "7", "8"]
    assert (rows["001"]["acl"], rows["001"]["team"]) == ("a|b", "core")
    assert rows["002"]["text"] == ""
    assert (rows["7"]["acl"], rows["7"]["revision"], rows["7"]["draft"]) == ("b|a", "3", "false")
    assert (rows["8"]["acl"], rows["8"]["meta"]) == ("public", '{"k": ["é"]}')


def test_an_empty_access_list_stays_empty(write):
    # Staging refuses it; it must not become public here.
    folder = write(
        d_jsonl=[{"doc_id": "a", "text": "x", "acl": []}], e_csv="doc_id,text,acl\nb,x,\n"
    )
    assert [row["acl"] for row in documents(folder / "*")] == ["", None]


def test_parquet_values_become_text(tmp_path):
    path = tmp_path / "d.parquet"
    table = pa.table({"doc_id": ["a"], "text": ["x"], "updated_at": [dt.datetime(2026, 1, 2, 3)]})
    pq.write_table(table, path)
    assert documents(path)[0]["updated_at"] == "2026-01-02 03:00:00"


@pytest.mark.parametrize("name", ["notes [1].md", "a*b.md"])
def test_a_file_whose_name_looks_like_a_pattern(tmp_path, name):
    path = tmp_path / name
    path.write_text("x", "utf-8")
    assert [row["doc_id"] for row in documents(path)] == [path.stem]


def test_no_path_gives_no_rows():
    assert read_documents(None).schema == DOCUMENT_SCHEMA
    assert read_documents(None).num_rows == 0
    assert read_questions(None).schema == EVIDENCE_SCHEMA
    assert read_questions(None).num_rows == 0


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        ({"a_md": "x", "sub__a_md": "y"}, r"a\.md: doc_id 'a' is taken by .*a\.md; rename"),
        ({"d_csv": "doc_id,text\na,x\na,y\n"}, r"line 3: doc_id 'a' is taken by .*line 2"),
        ({"d_csv": "doc_id,text\n,x\n"}, "line 2: column 'doc_id' is empty or missing"),
        ({"d_jsonl": [{"text": "x"}]}, "line 1: column 'doc_id' is empty or missing"),
        ({"d_jsonl": [{"doc_id": "a"}]}, "doc_id 'a': column 'text' is empty or missing"),
        ({"a_md": "x\x00"}, "doc_id 'a', column 'text': NUL at position 1"),
        ({"d_jsonl": [{"doc_id": "a", "text": "\x00"}]}, "doc_id 'a', column 'text': NUL"),
        (
            {"d_jsonl": [{"doc_id": "a", "text": "x", "acl": ["a|b"]}]},
            r"line 1, column 'acl': the item 'a\|b' holds '\|'",
        ),
    ],
)
def test_documents_that_cannot_be_told_apart_or_stored(write, files, complaint):
    folder = write(**files)
    with pytest.raises(ValueError, match=complaint):
        documents(folder / "**" / "*")


def test_nothing_matches(tmp_path):
    with pytest.raises(
        ValueError, match=r"documents_path: no file matches .*\*\.md' \(looked from"
    ):
        documents(tmp_path / "*.md")
    (tmp_path / "folder.md").mkdir()
    with pytest.raises(ValueError, match="no file matches"):
        documents(tmp_path / "*.md")
    with pytest.raises(ValueError, match=r"is a folder; name files in it, e\.g\. docs/"):
        documents(tmp_path)
    with pytest.raises(ValueError, match="a file or a pattern is expected, not 7"):
        read_documents(7)
    (tmp_path / "d.csv").write_text("doc_id,text\n", "utf-8")
    with pytest.raises(ValueError, match=r"d\.csv: holds no row"):
        documents(tmp_path / "d.csv")
    with pytest.raises(ValueError, match="questions_path: no file matches"):
        questions(tmp_path / "q.jsonl")


def test_a_question_with_a_quote_or_an_anchor(write):
    folder = write(
        q_jsonl=[
            {"question_id": "q1", "question": "A?", "doc_id": "d", "quote": "x", "occurrence": 2},
            {"question_id": "q2", "question": "B?", "doc_id": "d", "anchor": "y"},
            {"question_id": "q3", "question": "C?", "answerable": False, "tags": ["t", "u"]},
            {"question_id": 4, "question": "D?", "doc_id": 5, "quote": ""},
        ]
    )
    rows = questions(folder / "q.jsonl")
    columns = ("question_id", "label_kind", "span_index", "doc_id", "quote", "occurrence")
    assert [tuple(row[column] for column in columns) for row in rows] == [
        ("q1", "span", 1, "d", "x", 2),
        ("q2", "anchor", 1, "d", "y", None),
        ("q3", None, None, None, None, None),
        ("4", "span", 1, "5", "", None),
    ]
    assert (rows[2]["answerable"], rows[2]["tags"]) == ("false", "t|u")


def test_an_anchor_in_a_section_gives_a_span_beside_it(write):
    row = {
        "question_id": "q",
        "question": "?",
        "doc_id": "d",
        "anchor": "CI",
        "section": "3. Tests",
    }
    found = questions(write(q_jsonl=[row]) / "q.jsonl")
    assert [(r["label_kind"], r["quote"], r["section"], r["span_index"]) for r in found] == [
        ("anchor", "CI", "3. Tests", 1),
        ("span", "CI", "3. Tests", 1),
    ]


def test_several_spans_in_one_row_or_in_several_rows(write):
    folder = write(
        one_jsonl=[
            {
                "question_id": "q",
                "question": "?",
                "doc_id": "d1",
                "spans": ["x", {"text": "y"}, {"quote": "z", "doc_id": "d2", "char_start": 4}],
            }
        ],
        two_csv="question_id,question,doc_id,quote,char_start\nq,?,d1,x,\nq,?,d1,y,\nq,?,d2,z,4\n",
    )
    expected = [(1, "d1", "x", None), (2, "d1", "y", None), (3, "d2", "z", 4)]
    for name in ("one.jsonl", "two.csv"):
        rows = questions(folder / name)
        found = [(r["span_index"], r["doc_id"], r["quote"], r["char_start"]) for r in rows]
        assert found == expected


def test_a_column_text_of_a_question_is_no_quote(write):
    folder = write(q_jsonl=[{"question_id": "q", "question": "?", "text": "note"}])
    assert [row["quote"] for row in questions(folder / "q.jsonl")] == [None]


def test_a_repeated_question_without_evidence_stands_once(write):
    folder = write(q_csv="question_id,question\nq,?\nq,?\n")
    assert len(questions(folder / "q.csv")) == 1


def test_whole_numbers_from_parquet(tmp_path):
    path = tmp_path / "q.parquet"
    columns = {"question_id": ["q"], "question": ["?"], "doc_id": ["d"], "quote": ["x"]}
    pq.write_table(pa.table({**columns, "occurrence": [2.0]}), path)
    assert questions(path)[0]["occurrence"] == 2
    pq.write_table(pa.table({**columns, "occurrence": [1.5]}), path)
    with pytest.raises(ValueError, match=r"column 'occurrence': 1\.5 is no whole number"):
        questions(path)


QUESTION = {"question_id": "q", "question": "?", "doc_id": "d"}


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ([{"question": "?"}], r"q\.jsonl, line 1: column 'question_id' is empty or missing"),
        ([{**QUESTION, "question": " "}], "line 1, question_id 'q': column 'question' is empty"),
        (
            [QUESTION, {**QUESTION, "question": "!"}],
            "line 2: .* another question than in .* line 1",
        ),
        ([{**QUESTION, "spans": "x"}], "line 1, column 'spans': a list is expected, not 'x'"),
        (
            [{**QUESTION, "spans": ["x", {"doc_id": "d2", "qoute": "y"}]}],
            "line 1, column 'spans': the item .*'qoute': 'y'.* has neither quote nor anchor",
        ),
        (
            [{**QUESTION, "quote": "x", "spans": ["y"]}],
            "line 1: has a quote or an anchor beside 'spans'",
        ),
        ([{**QUESTION, "spans": [3]}], "column 'spans': a quote or an object is expected, not 3"),
        (
            [{**QUESTION, "quote": "x", "occurrence": "two"}],
            "'occurrence': 'two' is no whole number",
        ),
        (
            [{**QUESTION, "quote": "x", "char_start": [1]}],
            r"'char_start': \[1\] is no whole number",
        ),
        ([{**QUESTION, "quote": "x", "occurrence": 0}], "'occurrence': counted from 1, so 0"),
        ([{**QUESTION, "quote": "x", "char_start": -1}], "'char_start': counted from 0, so -1"),
        ([{**QUESTION, "quote": ["x"]}], r"column 'quote': a text is expected, not \['x'\]"),
        ([{**QUESTION, "doc_id": None, "quote": "x"}], "column 'doc_id' is empty or missing"),
        ([{**QUESTION, "spans": ["x", "x"]}], "question_id 'q' has the same evidence in .* line 1"),
        (
            [{**QUESTION, "quote": "x"}] * 2,
            "line 2: question_id 'q' has the same evidence in .*line 1",
        ),
        ([{**QUESTION, "groups": ["a|b"]}], r"column 'groups': the item 'a\|b' holds '\|'"),
    ],
)
def test_questions_that_cannot_be_read(write, rows, complaint):
    folder = write(q_jsonl=rows)
    with pytest.raises(ValueError, match=complaint):
        questions(folder / "q.jsonl")
