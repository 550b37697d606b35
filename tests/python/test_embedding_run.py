"""Embedding runs against an in-memory DuckDB, with encoders that misbehave."""

import re
from itertools import groupby

import duckdb
import numpy as np
import pytest
from support import REPO, TOKENIZER

from chunk_bakeoff.embedding import store
from chunk_bakeoff.embedding.batching import PendingText
from chunk_bakeoff.embedding.declared import DeclaredModel
from chunk_bakeoff.embedding.run import RUN_SCHEMA, embed_pending, encode_batch
from chunk_bakeoff.embedding.store import Tables, named_tables

MODEL = {
    "name": "m",
    "provider": "hashing",
    "source": TOKENIZER,
    "dimensions": 2,
    "max_tokens": 10,
    "batch_tokens": 20,
}
TABLES = Tables("int_texts", "embedding_store", "embedding_failures", "embedding_batches")


class Encoder:
    """Gives the unit vector (1, 0), or for a text what the test wants; an error is raised."""

    def __init__(self, special=()):
        self.special = dict(special)
        self.calls = []

    def encode(self, texts, text_kind="passage"):
        self.calls.append(list(texts))
        vectors = []
        for text in texts:
            vector = self.special.get(text, [1.0, 0.0])
            if isinstance(vector, BaseException):
                raise vector
            vectors.append(np.array(vector, dtype=np.float32))
        # Vectors of unequal length make no matrix.
        return np.array(vectors) if len({v.shape for v in vectors}) == 1 else vectors

    @property
    def texts(self):
        """Everything it was given, without the check of its dimensions."""
        return [text for call in self.calls[1:] for text in call]


class Database:
    """The tables that surround an embedding run, made from the project's own SQL."""

    def __init__(self):
        self.connection = duckdb.connect()
        self.said = []
        for name in ("embedding_store", "embedding_failures", "embedding_batches"):
            source = (REPO / "models" / "embeddings" / f"{name}.sql").read_text("utf-8")
            query = re.sub(r"\{\{.*?\}\}", "", source, flags=re.DOTALL)
            self.connection.execute(f"create table {name} as {query}")
        self.connection.execute(
            "create table needed (embedding_model varchar, model_revision varchar,"
            " text_kind varchar, embedding_key varchar, text varchar, token_count bigint)"
        )

    def need(self, texts, *, model=MODEL, kind="passage"):
        """Texts and their token counts that vectors are needed for."""
        revision = DeclaredModel(**model).revision()
        rows = [(model["name"], revision, kind, f"key of {t}", t, n) for t, n in texts.items()]
        self.connection.executemany("insert into needed values (?, ?, ?, ?, ?, ?)", rows)

    def run(self, encoder, *, models=(MODEL,), run_id="run 1", load=None):
        """What dbt does: `int_texts` is built, then the run reads it."""
        self.connection.execute(
            """
            create or replace table int_texts as
            select
                needed.*,
                null::bigint as pool_start,
                null::bigint as pool_end,
                stored.embedded_at
            from needed
            left join embedding_store as stored
                using (embedding_model, model_revision, text_kind, embedding_key)
            """
        )
        return embed_pending(
            self.connection,
            TABLES,
            models,
            run_id=run_id,
            say=self.said.append,
            load=load or (lambda model: encoder),
        ).to_pylist()

    def rows(self, query):
        return self.connection.execute(query).fetchall()


@pytest.fixture
def database():
    return Database()


def test_every_text_gets_a_vector_and_a_record(database):
    database.need({"long": 12, "short": 3, "middle": 5})
    database.need({"question": 4}, kind="query")
    (outcome,) = database.run(Encoder({"short": [0.6, 0.8]}))
    revision = DeclaredModel(**MODEL).revision()
    assert list(outcome) == RUN_SCHEMA.names
    assert outcome == {
        "run_id": "run 1",
        "embedding_model": "m",
        "model_revision": revision,
        "texts_embedded": 4,
        "texts_failed": 0,
    }
    assert database.rows(
        "select embedding_model, model_revision, text_kind, embedding_key, embedding, dimensions,"
        " is_normalized, token_count, truncated, run_id from embedding_store order by token_count"
    ) == [
        ("m", revision, "passage", "key of short", pytest.approx([0.6, 0.8]), 2, True, 3, False,
         "run 1"),
        ("m", revision, "query", "key of question", [1, 0], 2, True, 4, False, "run 1"),
        ("m", revision, "passage", "key of middle", [1, 0], 2, True, 5, False, "run 1"),
        # Longer than the model reads.
        ("m", revision, "passage", "key of long", [1, 0], 2, True, 12, True, "run 1"),
    ]  # fmt: skip
    assert database.rows("select count(embedded_at) from embedding_store") == [(4,)]
    # 20 tokens with padding: 10 + 10 (12 are cut to 10). Queries have batches of their own. A text
    # costs what is read of it.
    assert database.rows(
        "select texts, failures, tokens, run_id from embedding_batches order by tokens desc"
    ) == [(2, 0, 15, "run 1"), (1, 0, 4, "run 1"), (1, 0, 3, "run 1")]
    assert database.said[-1].startswith("embedding with m: 4 of 4 texts, ")


def test_with_nothing_to_do_no_model_is_loaded(database):
    def load(model):
        raise AssertionError("loaded")

    assert database.run(None, load=load)[0]["texts_embedded"] == 0
    database.need({"a": 3})
    database.run(Encoder())
    assert database.run(None, load=load, run_id="run 2")[0]["texts_embedded"] == 0
    assert database.rows("select distinct run_id from embedding_batches") == [("run 1",)]


def test_long_texts_come_first_and_batches_fit(database):
    database.need({"a": 3, "b": 10, "c": 9, "d": 4, "e": 5, "f": 6})
    encoder = Encoder()
    database.run(encoder)
    assert encoder.calls == [["dimension check"], ["b", "c"], ["f", "e", "d"], ["a"]]


def test_slices_of_a_length_that_many_texts_have(database, monkeypatch):
    monkeypatch.setattr(store, "SLICE_ROWS", 3)
    texts = {f"word{number}": 4 for number in range(40)} | {"long": 9, "short": 2}
    database.need(texts)
    encoder = Encoder()
    database.run(encoder)
    assert sorted(encoder.texts) == sorted(texts)
    assert [texts[text] for text in encoder.texts] == [9, *[4] * 40, 2]


def test_a_text_without_a_count_does_not_stop_the_others(database):
    database.need({"counted": 4, "uncounted": None})
    encoder = Encoder()
    (outcome,) = database.run(encoder)
    assert encoder.texts == ["counted"]
    assert (outcome["texts_embedded"], outcome["texts_failed"]) == (1, 0)


def test_the_chunks_of_a_window_follow_each_other_in_any_slice(database, monkeypatch):
    monkeypatch.setattr(store, "SLICE_ROWS", 2)
    model = DeclaredModel(**MODEL)
    windows = [f"window {number}" for number in range(8)]
    database.connection.execute("create table int_texts as from needed")
    database.connection.execute(
        "alter table int_texts add column pool_start bigint;"
        "alter table int_texts add column pool_end bigint;"
        "alter table int_texts add column embedded_at timestamp"
    )
    database.connection.executemany(
        "insert into int_texts values ('m', ?, 'passage', ?, ?, 4, ?, 9, null)",
        [(model.revision(), f"{text} {n}", text, n) for n in range(3) for text in windows],
    )
    pending = list(store.Store(database.connection, TABLES, "r").pending(model, model.revision()))
    together = [text for text, _ in groupby(pending, key=lambda chunk: chunk.text)]
    assert len(pending) == 24
    assert sorted(together) == windows


@pytest.mark.parametrize(
    ("vector", "reason"),
    [
        (RuntimeError("poison"), "RuntimeError: poison"),
        ([float("nan"), 1.0], "the vector holds NaN or infinity"),
        ([float("-inf"), 1.0], "the vector holds NaN or infinity"),
        ([0.0, 0.0], "the vector is zero"),
        ([3.0, 4.0], "the vector has length 5.0000 instead of 1"),
        ([1.0, 0.0, 0.0], "the vector has dimension 3 instead of 2"),
        ([1.0], "the vector has dimension 1 instead of 2"),
    ],
)
def test_a_text_that_cannot_be_embedded_is_set_aside(database, vector, reason):
    database.need({"one": 5, "bad": 5, "two": 5})
    (outcome,) = database.run(Encoder({"bad": vector}))
    assert (outcome["texts_embedded"], outcome["texts_failed"]) == (2, 1)
    assert database.rows("select embedding_key from embedding_store order by all") == [
        ("key of one",),
        ("key of two",),
    ]
    assert database.rows(
        "select embedding_model, text_kind, embedding_key, reason, run_id from embedding_failures"
    ) == [("m", "passage", "key of bad", reason, "run 1")]


def test_what_failed_is_tried_again(database):
    database.need({"one": 5, "bad": 5})
    database.run(Encoder({"bad": RuntimeError("busy")}))
    encoder = Encoder()
    (outcome,) = database.run(encoder, run_id="run 2")
    assert encoder.texts == ["bad"]
    assert (outcome["texts_embedded"], outcome["texts_failed"]) == (1, 0)


def test_a_blank_text_is_never_encoded(database):
    database.need({" \xa0": 2, "one": 5})
    encoder = Encoder()
    database.run(encoder)
    assert encoder.texts == ["one"]
    assert database.rows("select reason from embedding_failures") == [("the text is empty",)]


def test_a_batch_of_failures_alone_is_recorded(database):
    database.need({"bad": 5, "worse": 5})
    errors = {"bad": ValueError("x"), "worse": MemoryError()}
    (outcome,) = database.run(Encoder(errors))
    assert (outcome["texts_embedded"], outcome["texts_failed"]) == (0, 2)
    assert database.rows("select texts, failures, tokens from embedding_batches") == [(0, 2, 0)]
    assert database.rows("select reason from embedding_failures order by all") == [
        ("MemoryError: ",),
        ("ValueError: x",),
    ]


def test_an_encoder_that_loses_a_text_is_asked_for_each_alone():
    class Losing(Encoder):
        def encode(self, texts, text_kind="passage"):
            return super().encode(texts, text_kind)[: max(1, len(texts) - 1)]

    encoder = Losing()
    batch = [PendingText("passage", text, text, 5) for text in ("a", "b")]
    stored, vectors, failures = encode_batch(encoder, DeclaredModel(**MODEL), batch)
    assert encoder.calls == [["a", "b"], ["a"], ["b"]]
    assert (stored, failures, vectors.shape) == (batch, [], (2, 2))


def test_vectors_stay_with_their_texts_when_one_in_between_fails():
    special = {"a": [1.0, 0.0], "bad": [0.0, 0.0], "b": [0.0, 1.0]}
    batch = [PendingText("passage", text, text, 5) for text in special]
    stored, vectors, failures = encode_batch(Encoder(special), DeclaredModel(**MODEL), batch)
    assert [text.text for text in stored] == ["a", "b"]
    assert vectors.tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert vectors.dtype == np.float32
    assert failures == [(batch[1], "the vector is zero")]


def test_wrong_dimensions_stop_the_run_before_anything_is_embedded(database):
    database.need({"one": 5, "two": 5})
    encoder = Encoder({"dimension check": [1.0, 0.0, 0.0]})
    complaint = "'m' gives vectors of dimension 3, but is declared with dimensions 2"
    with pytest.raises(ValueError, match=complaint):
        database.run(encoder)
    assert encoder.texts == []
    assert database.rows("select count(*) from embedding_store") == [(0,)]


def test_a_stopped_run_goes_on_where_it_was(database):
    class Stopped(Encoder):
        """Is interrupted in the third batch; the first call checks the dimensions."""

        def encode(self, texts, text_kind="passage"):
            if len(self.calls) == 3:
                raise KeyboardInterrupt
            return super().encode(texts, text_kind)

    # Two texts make a batch.
    texts = {f"text {i}": 10 for i in range(7)}
    database.need(texts)
    first = Stopped()
    with pytest.raises(KeyboardInterrupt):
        database.run(first)
    assert database.rows("select count(*) from embedding_store") == [(4,)]
    assert database.rows("select sum(texts) from embedding_batches") == [(4,)]
    second = Encoder()
    (outcome,) = database.run(second, run_id="run 2")
    assert outcome["texts_embedded"] == 3
    assert len(first.texts) == 4
    # Nothing is embedded twice, nothing is left out.
    assert sorted(first.texts + second.texts) == sorted(texts)
    assert database.rows(
        "select run_id, count(*) from embedding_store group by run_id order by run_id"
    ) == [("run 1", 4), ("run 2", 3)]
    stored = "select embedding_key from embedding_store order by embedding_key"
    assert database.rows(stored) == [(f"key of {text}",) for text in sorted(texts)]


def test_a_batch_that_cannot_be_stored_leaves_nothing_half_done(database):
    database.need({"one": 10, "two": 10})
    database.connection.execute("alter table embedding_batches add column more varchar not null")
    with pytest.raises(duckdb.ConstraintException):
        database.run(Encoder())
    assert database.rows("select count(*) from embedding_store") == [(0,)]


def test_batches_outlive_the_transaction_around_them(database):
    database.need({"one": 5})
    database.connection.execute(
        "create table int_texts as select *, null::bigint as pool_start,"
        " null::bigint as pool_end, null::timestamp as embedded_at from needed"
    )
    with database.connection.cursor() as dbt:
        dbt.begin()
        dbt.execute("create table of_the_model (x integer)")
        embed_pending(dbt, TABLES, [MODEL], run_id="r", say=print, load=lambda _: Encoder())
        dbt.rollback()
    assert database.rows("select embedding_key from embedding_store") == [("key of one",)]


def test_models_are_embedded_apart(database):
    other = {**MODEL, "name": "n", "dimensions": 3}
    database.need({"one": 5})
    database.need({"one": 5, "two": 5}, model=other)
    encoders = {
        "m": Encoder(),
        "n": Encoder({key: [0, 0, 1] for key in ("one", "two", "dimension check")}),
    }
    outcomes = database.run(None, models=[MODEL, other], load=lambda model: encoders[model.name])
    assert [(o["embedding_model"], o["texts_embedded"]) for o in outcomes] == [("m", 1), ("n", 2)]
    assert database.rows(
        "select embedding_model, embedding_key, embedding from embedding_store order by all"
    ) == [
        ("m", "key of one", [1, 0]),
        ("n", "key of one", [0, 0, 1]),
        ("n", "key of two", [0, 0, 1]),
    ]


def test_another_revision_of_a_model_is_embedded_anew(database):
    database.need({"one": 5})
    database.run(Encoder())
    prefixed = {**MODEL, "passage_prefix": "passage: "}
    database.need({"one": 5}, model=prefixed)
    (outcome,) = database.run(Encoder(), models=[prefixed])
    assert outcome["texts_embedded"] == 1
    assert database.rows("select count(distinct model_revision) from embedding_store") == [(2,)]


def test_tables_are_found_in_any_schema(database):
    connection = database.connection
    connection.execute('create schema "other one"')
    connection.execute('create table "other one"."my texts" (x integer)')
    names = named_tables(
        connection,
        texts=connection.sql('select * from "other one"."my texts"'),
        store=connection.table("embedding_store"),
        failures=connection.table("embedding_failures"),
        batches=connection.table("embedding_batches"),
    )
    assert connection.execute(f"select count(*) from {names.texts}").fetchone() == (0,)
    assert connection.execute(f"select count(*) from {names.store}").fetchone() == (0,)
