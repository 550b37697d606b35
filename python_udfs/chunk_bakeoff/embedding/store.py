"""The durable store of vectors: what is to do, and batches committed as they finish."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from chunk_bakeoff.embedding.batching import PendingText, padded_tokens, read_tokens
from chunk_bakeoff.embedding.declared import DeclaredModel

FETCHED_ROWS = 2048
# Few enough to sort in little memory, many enough that slices do not break up batches.
SLICE_ROWS = 20_000


@dataclass(frozen=True, slots=True)
class Tables:
    """Qualified names of the tables that an embedding run writes, and of what it reads.

    Attributes:
        texts: a table, or a query in parentheses.
        store: receives vectors.
        failures: receives what could not be embedded.
        batches: receives what each batch cost.
    """

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
        """Texts of this model without a vector, kind by kind, longest first.

        Texts are fetched in slices of similar length, so that sorting them does not hold all of
        them in memory. The chunks of one window follow each other.
        """
        for part in self._slices(model, revision):
            reader = self._reading.sql(
                f"""
                select text_kind, embedding_key, text, token_count, pool_start, pool_end
                from {self._tables.texts}
                {self._where_pending()}
                    and text_kind = ? and token_count between ? and ? and hash(text) % ? = ?
                order by token_count desc, md5(text), embedding_key
                """,
                params=[model.name, revision, *part],
            ).to_arrow_reader(FETCHED_ROWS)
            for batch in reader:
                for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                    yield PendingText(*row)

    def _slices(self, model: DeclaredModel, revision: str) -> list[tuple[str, int, int, int, int]]:
        """(kind, shortest, longest, parts, part) of about `SLICE_ROWS` texts, longest first.

        A length that more texts have than that is a slice in so many parts; a window stays in one.
        """
        counts = self._reading.execute(
            f"""
            select text_kind, token_count, count(*)
            from {self._tables.texts}
            {self._where_pending()}
            group by text_kind, token_count
            order by text_kind, token_count desc
            """,
            [model.name, revision],
        ).fetchall()
        lengths: list[tuple[str, int, int, int]] = []
        for text_kind, token_count, texts in counts:
            if lengths and lengths[-1][0] == text_kind and lengths[-1][3] + texts <= SLICE_ROWS:
                _, _, longest, rows = lengths[-1]
                lengths[-1] = (text_kind, token_count, longest, rows + texts)
            else:
                lengths.append((text_kind, token_count, token_count, texts))
        return [
            (text_kind, shortest, longest, parts, part)
            for text_kind, shortest, longest, rows in lengths
            for parts in [-(-rows // SLICE_ROWS)]
            for part in range(parts)
        ]

    def _where_pending(self) -> str:
        # A text without a count has no place in a batch; a test reports that it has no vector.
        return (
            "where embedding_model = ? and model_revision = ? and embedded_at is null "
            "and token_count is not null"
        )

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
        attempted = [*texts, *(text for text, _ in failures)]
        padded = padded_tokens(attempted, model.max_tokens)
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
                    ?::bigint as padded_tokens, ?::double as seconds,
                    ?::double as price_per_million_tokens,
                    now() at time zone 'utc' as finished_at
                """,
                [
                    *stamp,
                    len(texts),
                    len(failures),
                    read_tokens(texts, model.max_tokens),
                    padded,
                    seconds,
                    model.price_per_million_tokens,
                ],
            )
            writing.commit()
        except BaseException:
            writing.rollback()
            raise
        finally:
            writing.unregister("batch_vectors")
            writing.unregister("batch_failures")


def named_tables(connection: Any, *, texts: Any, **written: Any) -> Tables:
    """The tables behind what `dbt.ref` gives, whatever schema and alias a project gave them.

    Args:
        connection: a DuckDB connection.
        texts: the relation that is read; it may be a view.
        written: a relation for each other field of `Tables`.
    """
    names = {}
    for field, relation in written.items():
        (names[field],) = connection.get_table_names(relation.sql_query(), qualified=True)
    return Tables(texts=f"({texts.sql_query()})", **names)
