import json

import duckdb
import pyarrow as pa
import pytest
from support import TOKENIZER

from chunk_bakeoff.chunk import CHUNK_SCHEMA, Chunk, Sizing, chunker, cut_changed
from chunk_bakeoff.strategies import fixed, fixed_chars, structure

MODELS = [
    {"name": "short", "source": TOKENIZER, "dimensions": 4, "max_tokens": 32},
    {"name": "long", "source": TOKENIZER, "dimensions": 4, "max_tokens": 256},
]


def documents(*rows):
    columns = ("doc_id", "text", "media_type", "language")
    padded = [dict(zip(columns, (*row, None, None), strict=False)) for row in rows]
    schema = pa.schema([pa.field(column, pa.string()) for column in columns])
    return iter([pa.RecordBatch.from_pylist(padded, schema=schema)])


def rows_of(function, *rows):
    return [row for batch in function(documents(*rows)) for row in batch.to_pylist()]


def test_rows_of_several_variants():
    variants = {"four": {"size": 4}, "three": {"size": 3, "declares": ["nested"]}}
    chunk = chunker(fixed_chars.cut, variants, MODELS, version="7")
    batches = list(chunk(documents(("d1", "abcde"), ("d2", "xy"))))
    assert {batch.schema for batch in batches} == {CHUNK_SCHEMA}
    rows = [row for batch in batches for row in batch.to_pylist()]
    assert [
        (r["strategy"], r["doc_id"], r["char_start"], r["char_end"], r["body"]) for r in rows
    ] == [
        ("four", "d1", 0, 4, "abcd"),
        ("four", "d1", 4, 5, "e"),
        ("four", "d2", 0, 2, "xy"),
        ("three", "d1", 0, 3, "abc"),
        ("three", "d1", 3, 5, "de"),
        ("three", "d2", 0, 2, "xy"),
    ]
    assert {row["strategy_version"] for row in rows} == {"7"}
    assert json.loads(rows[-1]["settings"]) == {"size": 3, "declares": ["nested"]}


def test_a_context_is_the_chunk_unless_it_says_otherwise():
    def cut(document):
        yield Chunk(0, 2)
        yield Chunk(2, 4, "A > B", prefix="A\n", context=(0, 4), context_prefix="P\n")
        yield Chunk(4, 5, embed_text="another text")

    plain, child, other = rows_of(
        chunker(cut_if_any(cut), {"v": {}}, MODELS, version="1"), ("d", "abcde")
    )
    assert (plain["context_start"], plain["context_end"]) == (0, 2)
    assert (plain["embed_prefix"], plain["context_prefix"]) == ("", "")
    assert (plain["embed_text"], plain["heading_path"]) == (None, None)
    assert (child["context_start"], child["context_end"]) == (0, 4)
    assert (child["embed_prefix"], child["context_prefix"]) == ("A\n", "P\n")
    assert child["heading_path"] == "A > B"
    assert other["embed_text"] == "another text"


def cut_if_any(cut):
    """The strategy `cut`, quiet on the empty document that settings are tried on."""
    return lambda document: cut(document) if document.text else []


def test_sizes_are_counted_for_the_sizing_model():
    seen = {}

    def cut(document, *, sizing, mark):
        seen[mark] = sizing
        return []

    variants = {
        "a": {"mark": "default"},
        "b": {"mark": "named", "sizing_model": "long"},
        "c": {"mark": "declared", "declares": ["over_limit"]},
    }
    rows_of(chunker(cut, variants, MODELS, version="1"), ("d", "text"))
    assert {mark: (s.limit, s.may_pass_limit) for mark, s in seen.items()} == {
        "default": (32, False),
        "named": (256, False),
        "declared": (32, True),
    }


def test_a_document_carries_its_metadata():
    seen = []
    chunk = chunker(lambda document: seen.append(document) or [], {"v": None}, MODELS, version="1")
    rows_of(chunk, ("d1", "x", "text/markdown", "de"), ("d2", "y"))
    _, first, second = seen
    assert (first.doc_id, first.media_type, first.language) == ("d1", "text/markdown", "de")
    assert first.metadata["language"] == "de"
    assert (second.media_type, second.language) == ("text/plain", "und")


@pytest.mark.parametrize(
    ("cut", "variants", "complaint"),
    [
        (fixed.cut, {}, "at least one variant"),
        (fixed.cut, {"v": {}}, r"variant 'v': the setting \['size'\] must be given"),
        (fixed.cut, {"v": {"size": 0}}, "variant 'v': size must be at least 1"),
        (fixed.cut, {"v": {"size": 8, "overlap": 8}}, "variant 'v': overlap must be"),
        (fixed.cut, {"v": {"size": "8"}}, "variant 'v': size must be int, not '8'"),
        (fixed.cut, {"v": {"size": 31}}, "variant 'v': size 31 passes .* at most 30 tokens"),
        (
            fixed.cut,
            {"v": {"sice": 8}},
            r"unknown setting \['sice'\]; known: \['overlap', 'size'\]",
        ),
        (fixed_chars.cut, {"v": {"size": 8, "sizing": 1}}, r"unknown setting \['sizing'\]"),
        (
            fixed.cut,
            {"v": {"size": 8, "declares": ["all"]}},
            r"declares \['all'\]; known: \['nested",
        ),
        (fixed.cut, {"v": {"size": 8, "sizing_model": "x"}}, "'x' is not declared"),
        (structure.cut, {"ok": {}, "v": {"depth": 2}}, "variant 'v': unknown setting"),
    ],
)
def test_bad_settings_are_refused_before_any_document_is_read(cut, variants, complaint):
    with pytest.raises(ValueError, match=complaint):
        chunker(cut, variants, MODELS, version="1")


def test_what_a_strategy_raises_names_the_variant():
    def cut(document, *, mark: "list[int]"):
        raise ValueError("a bug")

    with pytest.raises(ValueError, match=r"^variant 'v': a bug$"):
        chunker(cut, {"v": {"mark": "not checked"}}, MODELS, version="1")


@pytest.mark.parametrize(
    ("chunk", "complaint"),
    [
        (Chunk(2, 3), r"strategy 'v', document 'd': the chunk \[2, 3\) holds no text"),
        (Chunk(1, 1), r"the chunk \[1, 1\) holds no text"),
        (Chunk(-1, 2), r"the chunk \[-1, 2\) lies outside the text of 5 characters"),
        (Chunk(0, 6), r"the chunk \[0, 6\) lies outside"),
        (Chunk(3, 2), r"the chunk \[3, 2\) lies outside"),
        (Chunk(0, 2, context=(0, 9)), r"the context \[0, 9\) lies outside"),
    ],
)
def test_a_strategy_cannot_return_what_is_no_slice(chunk, complaint):
    function = chunker(cut_if_any(lambda _: [chunk]), {"v": {}}, MODELS, version="1")
    with pytest.raises(ValueError, match=complaint):
        rows_of(function, ("d", "ab cd"))


def test_the_limit_counts_special_tokens(tokenizer):
    sizing = Sizing(tokenizer, 256)
    sizing.check_size(254)
    with pytest.raises(ValueError, match="at most 254 tokens"):
        sizing.check_size(255)


def settings_of(function):
    return [row["strategy"] for row in rows_of(function, ("d", "abcdefgh"))]


def test_a_sweep_is_one_variant_for_each_combination():
    sweep = {"chars": {"sweep": {"size": [4, 8], "overlap": [0, 1]}}}
    names = dict.fromkeys(settings_of(chunker(fixed_chars.cut, sweep, version="1")))
    assert list(names) == ["chars_4_0", "chars_4_1", "chars_8_0", "chars_8_1"]
    with pytest.raises(ValueError, match="needs a list of values for \\['size'\\]"):
        chunker(fixed_chars.cut, {"v": {"sweep": {"size": 4}}}, version="1")


def test_a_contextual_prefix_names_the_document_and_the_headings():
    text = "# One\n\n## Two\n\nBody here."
    variants = {
        "v": {
            "size": 8,
            "contextual_prefix": {"source": "doc_id", "section": "heading_path"},
            "prefix_tokens": 14,
        }
    }
    rows = rows_of(chunker(fixed.cut, variants, MODELS, version="1"), ("d1", text, "text/markdown"))
    # Content tokens: "#", "one", "#", "#", "two", "body", "here", ".": one window.
    assert [(row["embed_prefix"], row["context_prefix"]) for row in rows] == [
        ("[source: d1] [section: One]\n", "")
    ]


def test_a_prefix_keeps_room_below_the_limit():
    variants = {"v": {"size": 20, "contextual_prefix": {"source": "doc_id"}, "prefix_tokens": 14}}
    with pytest.raises(
        ValueError, match=r"size 20 passes .* 14 of them kept for contextual_prefix"
    ):
        chunker(fixed.cut, variants, MODELS, version="1")
    variants["v"]["size"] = 16
    with pytest.raises(ValueError, match=r"contextual_prefix names \['nothing'\]"):
        variants["v"]["contextual_prefix"] = {"source": "nothing"}
        rows_of(chunker(fixed.cut, variants, MODELS, version="1"), ("d", "text"))


def test_late_chunking_records_the_window():
    variants = {"v": {"size": 3, "late_chunking": True}}
    rows = rows_of(chunker(fixed.cut, variants, MODELS, version="1"), ("d", "one two three four"))
    assert [(row["body"], row["window_start"], row["window_end"]) for row in rows] == [
        ("one two three", 0, 18),
        ("four", 0, 18),
    ]
    with pytest.raises(ValueError, match="cannot have a contextual_prefix"):
        variants["v"]["contextual_prefix"] = {"source": "doc_id"}
        chunker(fixed.cut, variants, MODELS, version="1")


class Model:
    """What dbt hands to a model that builds the table `chunks`."""

    class this:
        database, schema, identifier = "memory", "main", "chunks"

        def __str__(self):
            return "chunks"

    this = this()


def build(connection, texts, *, size=4, version="1"):
    """Build the table `chunks` as dbt would; gives what was said."""
    rows = [{"doc_id": name, "text": text} for name, text in texts.items()]
    given = pa.Table.from_pylist(rows)
    said = []
    chunk = chunker(fixed_chars.cut, {"v": {"size": size}}, version=version)
    reader = cut_changed(Model, connection, connection.from_arrow(given), chunk, say=said.append)
    connection.register("fresh", reader.read_all())
    connection.execute("create or replace table chunks as select * from fresh")
    return said


def test_only_changed_documents_are_cut_again():
    connection = duckdb.connect()
    texts = {"a": "abcdefgh", "b": "12345"}
    assert build(connection, texts) == ["chunks: 2 of 2 documents to cut"]
    assert build(connection, texts) == ["chunks: 0 of 2 documents to cut"]
    assert build(connection, {**texts, "b": "1234"}) == ["chunks: 1 of 2 documents to cut"]
    assert build(connection, {"a": "abcdefgh"}) == ["chunks: 0 of 1 documents to cut"]
    rows = connection.execute("select doc_id, body from chunks order by all").fetchall()
    assert rows == [("a", "abcd"), ("a", "efgh")]
    assert build(connection, {"a": "abcdefgh"}, size=8) == ["chunks: 1 of 1 documents to cut"]
    changed = build(connection, {"a": "abcdefgh"}, size=8, version="2")
    assert changed == ["chunks: 1 of 1 documents to cut"]
    assert connection.execute("select body from chunks").fetchall() == [("abcdefgh",)]
