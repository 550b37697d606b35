import datetime as dt

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from chunk_bakeoff.rows import read_rows, read_text


@pytest.fixture
def rows_of(tmp_path):
    """Rows of a file with the given name and content."""

    def read(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return list(read_rows(path))

    return read


def test_csv_values_stay_text(rows_of):
    content = "doc_id,text\n001,1.50\n1e5,2024\nnull,true\nNaN,2024-01-02\nNone,\n"
    assert rows_of("d.csv", content) == [
        (2, {"doc_id": "001", "text": "1.50"}),
        (3, {"doc_id": "1e5", "text": "2024"}),
        (4, {"doc_id": "null", "text": "true"}),
        (5, {"doc_id": "NaN", "text": "2024-01-02"}),
        (6, {"doc_id": "None", "text": None}),
    ]


def test_csv_fields_hold_quotes_line_breaks_and_any_length(rows_of):
    long = "x" * 200_000
    content = f'a,b\n"line one\r\nline ""two"", end\n","\u2028\x0b"\n{long},y\n'
    assert rows_of("d.csv", content) == [
        (2, {"a": 'line one\r\nline "two", end\n', "b": "\u2028\x0b"}),
        # The row that begins in line 2 ends in line 4.
        (5, {"a": long, "b": "y"}),
    ]


def test_csv_header(rows_of):
    content = "\ufeffDoc_ID , Text\r\nd1,x\r\n\r\n"
    assert rows_of("d.CSV", content) == [(2, {"doc_id": "d1", "text": "x"})]
    assert rows_of("d.csv", "") == []
    assert rows_of("d.csv", "doc_id,text\n") == []


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("a,A\n1,2\n", r"d\.csv, line 1: duplicate column \['a'\]"),
        ("a,b\n1,2\n1,2,3\n", r"d\.csv, line 3: 3 fields where the header has 2"),
        ("a,b\n1\n", r"d\.csv, line 2: 1 fields where the header has 2"),
        # A quote that is never closed would swallow the rest of the file.
        ('a,b\n1,2\n1,"open\n1,2\n', r"d\.csv, line 3: unexpected end of data"),
        ('a,b\n1,"x"y\n', r"d\.csv, line 2: ',' expected after '\"'"),
        ("a,b\n1,x\ry\n", r"d\.csv, line 2: new-line character seen in unquoted field"),
        (b"a\n\xff\n", r"d\.csv: not UTF-8 at byte 2; save the file as UTF-8"),
    ],
)
def test_csv_that_cannot_be_read_exactly(rows_of, content, complaint):
    with pytest.raises(ValueError, match=complaint):
        rows_of("d.csv", content)


def test_json_lines(rows_of):
    content = '\ufeff{"Doc_ID": "d1", "text": "a\\u2028b\u2028c"}\r\n\n{"n": 7, "tags": ["x"]}'
    assert rows_of("d.jsonl", content) == [
        (1, {"doc_id": "d1", "text": "a\u2028b\u2028c"}),
        (3, {"n": 7, "tags": ["x"]}),
    ]


def test_json_numbers_are_not_rewritten(rows_of):
    content = '{"a": 1e5, "b": 1.50, "c": 12345678901234567890, "d": -0.1}'
    assert rows_of("d.ndjson", content) == [
        (1, {"a": "1e5", "b": "1.50", "c": 12345678901234567890, "d": "-0.1"})
    ]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ('{"a": 1}\n{"a": 1, "a": 2}', r"d\.jsonl, line 2: duplicate key 'a'"),
        ('{"text": "a", "Text": "b"}', r"line 1: duplicate key 'Text' \(column names ignore"),
        ('{"spans": [{"a": 1, "a": 2}]}', "line 1: duplicate key 'a'"),
        ('{"a": NaN}', "line 1: NaN is no JSON value; write null"),
        ('{"a": Infinity}', "line 1: Infinity is no JSON value"),
        ('["a"]', "line 1: a line must hold one JSON object"),
        ('{"a": 1}\n{"a"', "line 2: Expecting ':' delimiter"),
        ('{"doc_id": "s1", "text": "bad \\ud83d here"}',
         "line 1, doc_id 's1', column 'text': lone surrogate at position 4"),
        ('{"question_id": "q", "spans": [{"quote": "\\udc00"}]}',
         "question_id 'q', column 'spans': lone surrogate at position 0"),
        ('{"other": "\\udc00"}', "row without an id, column 'other'"),
        (b'{"a": "\xe9"}', "not UTF-8 at byte 7"),
    ],
)  # fmt: skip
def test_json_lines_that_cannot_be_read_exactly(rows_of, content, complaint):
    with pytest.raises(ValueError, match=complaint):
        rows_of("d.jsonl", content)


def test_a_surrogate_pair_is_one_character(rows_of):
    assert rows_of("d.jsonl", '{"a": "\\ud83d\\ude80"}') == [(1, {"a": "🚀"})]


def test_the_rows_before_a_bad_one_can_be_read(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text('{"a": 1}\n{', "utf-8")
    assert next(read_rows(path)) == (1, {"a": 1})


def test_parquet(tmp_path):
    path = tmp_path / "d.parquet"
    day = dt.date(2026, 1, 2)
    table = pa.table({"Doc_ID": ["001", "002"], "day": [day, None], "tags": [["a", "b"], []]})
    pq.write_table(table, path)
    assert list(read_rows(path)) == [
        (1, {"doc_id": "001", "day": day, "tags": ["a", "b"]}),
        (2, {"doc_id": "002", "day": None, "tags": []}),
    ]


def test_parquet_that_cannot_be_read_exactly(tmp_path):
    path = tmp_path / "d.parquet"
    pq.write_table(pa.table({"text": ["a"], "Text": ["b"]}), path)
    with pytest.raises(ValueError, match=r"d\.parquet: duplicate column \['text'\]"):
        list(read_rows(path))
    path.write_bytes(b"not a table")
    with pytest.raises(ValueError, match=r"d\.parquet: cannot be read as Parquet"):
        list(read_rows(path))


def test_unknown_kind_of_file(tmp_path):
    with pytest.raises(ValueError, match=r"unknown kind of file; use one of \.jsonl, .*\.parquet"):
        read_rows(tmp_path / "d.xlsx")


def test_text_keeps_its_line_endings(tmp_path):
    path = tmp_path / "d.txt"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n")
    assert read_text(path) == "\ufeffa\r\nb\rc\n"
    path.write_bytes(b"ab\xff")
    with pytest.raises(ValueError, match=r"d\.txt: not UTF-8 at byte 2"):
        read_text(path)
