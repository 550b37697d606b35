"""The tables around an embedding run, and one run over given texts."""

import re
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa
from measuring import PROJECT

from chunk_bakeoff.embedding.declared import DeclaredModel
from chunk_bakeoff.embedding.providers import Encoder
from chunk_bakeoff.embedding.run import embed_pending
from chunk_bakeoff.embedding.store import Tables

TABLES = Tables("int_texts", "embedding_store", "embedding_failures", "embedding_batches")
NEEDED = "embedding_model, model_revision, text_kind, embedding_key, text, token_count"


class Text(NamedTuple):
    """A text with its tokens, special ones included."""

    text: str
    token_count: int


class PipelineRun(NamedTuple):
    """What a run took.

    Attributes:
        seconds: of the whole run.
        encoding_seconds: inside the encoder.
        padding_share: share of the computed tokens that was padding.
    """

    seconds: float
    encoding_seconds: float
    padding_share: float


def make_tables(connection: duckdb.DuckDBPyConnection, needed: str) -> None:
    """Empty tables as the project's own SQL makes them, around the texts that `needed` selects.

    Args:
        connection: of an empty database.
        needed: a query that gives the columns `NEEDED`.
    """
    for name in (TABLES.store, TABLES.failures, TABLES.batches):
        source = (PROJECT / "models" / "embeddings" / f"{name}.sql").read_text("utf-8")
        query = re.sub(r"\{\{.*?\}\}", "", source, flags=re.DOTALL)
        connection.execute(f"create table {name} as {query}")
    connection.execute(f"create table needed as select {NEEDED} from ({needed})")
    connection.execute(
        """
        create view int_texts as
        select
            needed.*,
            cast(null as bigint) as pool_start,
            cast(null as bigint) as pool_end,
            stored.embedded_at
        from needed
        left join embedding_store as stored
            using (embedding_model, model_revision, text_kind, embedding_key)
        """
    )


def run_pipeline(
    file: Path, settings: Mapping[str, Any], texts: Iterable[Text], encoder: Encoder
) -> PipelineRun:
    """Embed the texts into a new database by the code that dbt runs, with a loaded encoder."""
    timed = _Timed(encoder)
    model = DeclaredModel(**settings)
    rows = pa.Table.from_pylist(
        [
            {
                "embedding_model": model.name,
                "model_revision": model.revision(),
                "text_kind": "passage",
                "embedding_key": str(number),
                **text._asdict(),
            }
            for number, text in enumerate(texts)
        ]
    )
    file.unlink(missing_ok=True)
    with duckdb.connect(str(file)) as connection:
        connection.register("given", rows)
        make_tables(connection, "from given")
        began = time.perf_counter()
        embed_pending(
            *(connection, TABLES, [settings]),
            run_id="benchmark",
            say=lambda _: None,
            load=lambda _: timed,
        )
        seconds = time.perf_counter() - began
        ((stored, padding),) = connection.execute(
            "select sum(texts), 1 - sum(tokens) / sum(padded_tokens) from embedding_batches"
        ).fetchall()
    assert stored == rows.num_rows
    return PipelineRun(seconds, timed.seconds, padding)


class _Timed:
    """An encoder that keeps the time it takes."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.computes_padding = getattr(encoder, "computes_padding", False)
        self.seconds = 0.0

    def encode(self, texts, text_kind="passage"):
        began = time.perf_counter()
        try:
            return self._encoder.encode(texts, text_kind)
        finally:
            self.seconds += time.perf_counter() - began
