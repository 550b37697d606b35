"""The durable store of vectors: what is to do, and batches committed as they finish."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from chunk_bakeoff.embedding.batching import PendingText
from chunk_bakeoff.embedding.declared import DeclaredModel


@dataclass(frozen=True, slots=True)
class Tables:
    """Qualified names of the tables an embedding run reads and writes."""

    texts: str
    store: str
    failures: str
    batches: str


class Store:
    """Reads pending texts and writes vectors, each batch in a transaction of its own.

    Args:
        connection: a DuckDB connection. A cursor of it is used, so that nothing here waits for
            the transaction of the dbt model that runs it.
        tables: where texts and vectors lie.
        run_id: stamped on everything written.
    """

    def __init__(self, connection: Any, tables: Tables, run_id: str) -> None:
        self._reading = connection.cursor()
        self._writing = connection.cursor()
        self._tables = tables
        self._run_id = run_id

    def pending_count(self, model: DeclaredModel, revision: str) -> int:
        """How many texts of this model have no vector."""
        query = f"select count(*) from {self._tables.texts} {self._where_pending()}"
        # Fetched to the end: an open result would keep the connection from reading on.
        ((count,),) = self._reading.execute(query, [model.name, revision]).fetchall()
        return int(count)

    def pending(self, model: DeclaredModel, revision: str) -> Iterator[PendingText]:
        """Texts of this model without a vector, longest first, streamed."""
        reader = self._reading.sql(
            f"""
            select text_kind, embedding_key, text, token_count, pool_start, pool_end
            from {self._tables.texts}
            {self._where_pending()}
            order by token_count desc, md5(text), embedding_key, text_kind
            """,
            params=[model.name, revision],
        ).to_arrow_reader(2048)
        for batch in reader:
            for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                yield PendingText(*row)

    def _where_pending(self) -> str:
        return "where embedding_model = ? and model_revision = ? and embedded_at is null"

    def save(
        self,
        model: DeclaredModel,
        revision: str,
        texts: Sequence[PendingText],
        vectors: np.ndarray,
        failures: Sequence[tuple[PendingText, str]],
        seconds: float,
    ) -> None:
        """Commit one batch: its vectors, its failures and what it cost."""
        head = {"embedding_model": model.name, "model_revision": revision}
        stored = pa.table(
            {
                "text_kind": [text.text_kind for text in texts],
                "embedding_key": [text.embedding_key for text in texts],
                "embedding": pa.FixedSizeListArray.from_arrays(
                    pa.array(vectors.reshape(-1), pa.float32()), model.dimensions
                ),
                "token_count": pa.array([text.token_count for text in texts], pa.int64()),
                "truncated": [text.token_count > model.max_tokens for text in texts],
            }
        )
        failed = pa.table(
            {
                "text_kind": pa.array([text.text_kind for text, _ in failures], pa.string()),
                "embedding_key": pa.array(
                    [text.embedding_key for text, _ in failures], pa.string()
                ),
                "reason": pa.array([reason for _, reason in failures], pa.string()),
            }
        )
        tokens = sum(min(text.token_count, model.max_tokens) for text in texts)
        writing = self._writing
        stamp = [*head.values(), self._run_id]
        writing.begin()
        try:
            writing.register("batch_vectors", stored)
            writing.register("batch_failures", failed)
            writing.execute(
                f"""
                insert into {self._tables.store} by name
                select
                    ? as embedding_model, ? as model_revision, ? as run_id,
                    text_kind, embedding_key, embedding::float[] as embedding,
                    {model.dimensions} as dimensions, true as is_normalized,
                    token_count, truncated, now() at time zone 'utc' as embedded_at
                from batch_vectors
                """,
                stamp,
            )
            writing.execute(
                f"""
                insert into {self._tables.failures} by name
                select
                    ? as embedding_model, ? as model_revision, ? as run_id,
                    text_kind, embedding_key, reason, now() at time zone 'utc' as failed_at
                from batch_failures
                """,
                stamp,
            )
            writing.execute(
                f"""
                insert into {self._tables.batches} by name
                select
                    ? as embedding_model, ? as model_revision, ? as run_id,
                    ?::bigint as texts, ?::bigint as failures, ?::bigint as tokens,
                    ?::double as seconds, now() at time zone 'utc' as finished_at
                """,
                [*stamp, len(texts), len(failures), tokens, seconds],
            )
            writing.commit()
        except BaseException:
            writing.rollback()
            raise
        finally:
            writing.unregister("batch_vectors")
            writing.unregister("batch_failures")


def named_tables(connection: Any, **relations: Any) -> Tables:
    """The tables behind what `dbt.ref` gives, whatever schema and alias a project gave them.

    Args:
        connection: a DuckDB connection.
        relations: a relation for each field of `Tables`.
    """
    names = {}
    for field, relation in relations.items():
        (names[field],) = connection.get_table_names(relation.sql_query(), qualified=True)
    return Tables(**names)
