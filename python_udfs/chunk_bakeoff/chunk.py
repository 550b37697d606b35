"""From documents to chunks: every variant of a strategy, and only what has changed."""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from chunk_bakeoff.batches import BATCH_ROWS, map_batches
from chunk_bakeoff.contract import CHUNK_SCHEMA, Chunk, Sizing
from chunk_bakeoff.documents import Document, document_of
from chunk_bakeoff.embedding.progress import Say, dbt_say
from chunk_bakeoff.errors import UserError
from chunk_bakeoff.late import with_windows
from chunk_bakeoff.prefixes import ContextualPrefix
from chunk_bakeoff.text import is_blank
from chunk_bakeoff.units import UnitVectors
from chunk_bakeoff.variants import Cut, Variant, prepare_variants

__all__ = ["CHUNK_SCHEMA", "Chunk", "Chunker", "Sizing", "chunker", "cut_changed"]

# Columns that no cut depends on, or that the content hash stands for.
_NOT_IN_KEY = frozenset(
    {"text", "revision", "acl", "updated_at", "unit_starts", "unit_ends", "unit_vectors"}
)
# Libraries whose next version may cut otherwise.
_LIBRARIES = ("markdown-it-py", "mdit-py-plugins", "sentencex", "tokenizers")


class Chunker:
    """A function from batches of documents to batches of chunks; see `chunker`."""

    def __init__(self, cut: Cut, variants: Sequence[Variant], version: str, code: str) -> None:
        self._cut = cut
        self._variants = variants
        self._version = version
        self._code = code

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Chunks of every document under every variant."""
        yield from self.missing(batches, frozenset())

    def wanted(self, batches: Iterable[pa.RecordBatch]) -> dict[tuple[str, str], str]:
        """The cut key of every strategy and document."""
        return {
            (variant.name, row["doc_id"]): self._key(variant, row)
            for batch in batches
            for row in _without_units(batch).to_pylist()
            for variant in self._variants
        }

    def missing(
        self, batches: Iterable[pa.RecordBatch], kept: Set[tuple[str, str]]
    ) -> Iterator[pa.RecordBatch]:
        """Chunks of what is not among the (strategy, document) pairs in `kept`."""
        for batch in batches:
            needed = [
                any((variant.name, doc_id) not in kept for variant in self._variants)
                for doc_id in batch.column("doc_id").to_pylist()
            ]
            documents = list(_documents(batch.filter(pa.array(needed, pa.bool_()))))
            for variant in self._variants:
                rows = [
                    row
                    for document in documents
                    if (variant.name, document.doc_id) not in kept
                    for row in self.rows(document, variant)
                ]
                yield pa.RecordBatch.from_pylist(rows, schema=CHUNK_SCHEMA)

    def rows(self, document: Document, variant: Variant) -> list[dict[str, Any]]:
        """The chunks of one document under one variant, as rows of `CHUNK_SCHEMA`."""
        found: Iterable[Chunk] = self._cut(document, **variant.arguments)
        key = self._key(variant, document.metadata)
        try:
            if variant.contextual_prefix:
                found = _with_prefixes(document, found, variant)
            if variant.late_overlap is not None:
                found = with_windows(document, list(found), variant.sizing, variant.late_overlap)
            return [self._row(document, chunk, variant, key) for chunk in found]
        except UserError as error:
            raise UserError(
                f"strategy {variant.name!r}, document {document.doc_id!r}: {error}"
            ) from error

    def _key(self, variant: Variant, row: Mapping[str, Any]) -> str:
        content = row.get("content_sha256") or hashlib.sha256(row["text"].encode()).hexdigest()
        columns = {name: row[name] for name in sorted(row) if name not in _NOT_IN_KEY}
        parts = [self._version, self._code, variant.fingerprint, content, columns]
        return hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()[:32]

    def _row(self, document: Document, chunk: Chunk, variant: Variant, key: str) -> dict[str, Any]:
        context_start, context_end = chunk.context or (chunk.start, chunk.end)
        parent_start, parent_end = chunk.parent or (None, None)
        for name, start, end in (
            ("chunk", chunk.start, chunk.end),
            ("context", context_start, context_end),
            ("parent", *(chunk.parent or (context_start, context_end))),
        ):
            # Python would read a negative start from the end, an end beyond the text as its end.
            if not 0 <= start <= end <= len(document.text):
                raise UserError(
                    f"the {name} [{start}, {end}) lies outside the text of {len(document.text)} "
                    "characters"
                )
        body = document.text[chunk.start : chunk.end]
        if is_blank(body):
            raise UserError(f"the chunk [{chunk.start}, {chunk.end}) holds no text")
        window_start, window_end = chunk.window or (None, None)
        return {
            "strategy": variant.name,
            "doc_id": document.doc_id,
            "char_start": chunk.start,
            "char_end": chunk.end,
            "body": body,
            "heading_path": chunk.heading_path,
            "embed_prefix": chunk.prefix,
            "embed_text": chunk.embed_text,
            "context_start": context_start,
            "context_end": context_end,
            "context_prefix": chunk.context_prefix,
            "window_start": window_start,
            "window_end": window_end,
            "parent_start": parent_start,
            "parent_end": parent_end,
            "settings": variant.label,
            "strategy_version": self._version,
            "cut_key": key,
        }


def chunker(
    cut: Cut,
    variants: Mapping[str, Mapping[str, Any] | None],
    models: Sequence[Mapping[str, Any]] = (),
    *,
    version: str,
) -> Chunker:
    """A function from batches of documents to batches of chunks, one run per variant.

    Args:
        cut: `cut(document, **settings)`, which yields chunks.
        variants: settings by the variant's public name; see `prepare_variants`.
        models: the declared embedding models; only needed where something is counted.
        version: changes whenever the same settings give other chunks.

    Raises:
        UserError: no variants, an unknown setting or a value that is refused. It is raised
            before any document is read, and names variant and setting.
    """
    return Chunker(cut, prepare_variants(cut, variants, models), version, _code_digest(cut))


def cut_changed(
    dbt: Any, session: Any, documents: Any, chunk: Chunker, *, say: Say = dbt_say
) -> Any:
    """Chunks of all documents; those of unchanged documents come from the previous build.

    A document is cut again when its text, its metadata, the settings of the variant, the
    tokenizer or the code has changed. A full refresh cuts everything, as does an engine other
    than DuckDB.

    Args:
        dbt: what dbt hands to a Python model.
        session: likewise.
        documents: what `dbt.ref` gives.
        chunk: cuts documents.
        say: receives a line that says how much was cut.
    """
    if hasattr(documents, "mapInArrow"):
        return map_batches(documents, chunk, CHUNK_SCHEMA)
    table = documents.to_arrow_table()
    batches = table.to_batches(max_chunksize=BATCH_ROWS)
    previous = _previous(session, dbt.this)
    wanted = chunk.wanted(batches)
    kept = _still_wanted(previous, wanted)
    pairs = set(
        zip(kept.column("strategy").to_pylist(), kept.column("doc_id").to_pylist(), strict=True)
    )
    say(f"{dbt.this.identifier}: {len(wanted) - len(pairs)} of {len(wanted)} documents to cut")

    def chunks() -> Iterator[pa.RecordBatch]:
        yield from kept.to_batches()
        yield from chunk.missing(batches, pairs)

    return pa.RecordBatchReader.from_batches(CHUNK_SCHEMA, chunks())


def _previous(session: Any, this: Any) -> pa.Table:
    """The chunks of the previous build, or none where they have other columns."""
    columns = session.execute(
        "select column_name from information_schema.columns "
        "where table_catalog = ? and table_schema = ? and table_name = ? order by ordinal_position",
        [this.database, this.schema, this.identifier],
    ).fetchall()
    if _full_refresh() or [name for (name,) in columns] != CHUNK_SCHEMA.names:
        return CHUNK_SCHEMA.empty_table()
    return session.sql(f"select * from {this}").to_arrow_table().cast(CHUNK_SCHEMA)


def _full_refresh() -> bool:
    from dbt.flags import get_flags

    return bool(getattr(get_flags(), "FULL_REFRESH", False))


def _still_wanted(previous: pa.Table, wanted: Mapping[tuple[str, str], str]) -> pa.Table:
    names = ("strategy", "doc_id", "cut_key")
    rows = zip(*(previous.column(name).to_pylist() for name in names), strict=True)
    still = [wanted.get((strategy, doc_id)) == key for strategy, doc_id, key in rows]
    return previous.filter(pa.array(still, pa.bool_()))


def _with_prefixes(
    document: Document, chunks: Iterable[Chunk], variant: Variant
) -> Iterator[Chunk]:
    prefix = ContextualPrefix(
        document, variant.contextual_prefix, variant.sizing.tokenizer, variant.prefix_tokens
    )
    for chunk in chunks:
        line = prefix.line(chunk.start)
        if chunk.embed_text is not None:
            yield replace(chunk, embed_text=line + chunk.embed_text)
        else:
            yield replace(chunk, prefix=line + chunk.prefix)


def _documents(batch: pa.RecordBatch) -> Iterator[Document]:
    has_units = "unit_vectors" in batch.schema.names
    for number, row in enumerate(_without_units(batch).to_pylist()):
        yield document_of(row, _unit_vectors(batch, number) if has_units else None)


def _without_units(batch: pa.RecordBatch) -> pa.RecordBatch:
    names = ("unit_starts", "unit_ends", "unit_vectors")
    return batch.drop_columns([name for name in names if name in batch.schema.names])


def _unit_vectors(batch: pa.RecordBatch, number: int) -> UnitVectors:
    """The units of one row, without a Python object for every number."""
    starts, ends, vectors = (
        batch.column(name)[number].values for name in ("unit_starts", "unit_ends", "unit_vectors")
    )
    if vectors is None or len(vectors) == 0:
        nothing = np.zeros(0, dtype=np.int64)
        return UnitVectors(nothing, nothing, np.zeros((0, 1), dtype=np.float32))
    matrix = vectors.flatten().to_numpy(zero_copy_only=False).reshape(len(vectors), -1)
    return UnitVectors(
        starts.to_numpy(zero_copy_only=False), ends.to_numpy(zero_copy_only=False), matrix
    )


def _code_digest(cut: Cut) -> str:
    """Hash of the code that may decide where a chunk ends: this package, the strategy's file."""
    file = inspect.getsourcefile(inspect.unwrap(cut))
    own = Path(file).read_bytes() if file and Path(file).is_file() else b""
    return hashlib.sha256(own + _package_digest()).hexdigest()


@lru_cache(maxsize=1)
def _package_digest() -> bytes:
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(file.read_bytes())
    for name in _LIBRARIES:
        try:
            digest.update(f"{name}=={installed_version(name)}".encode())
        except PackageNotFoundError:
            continue
    return digest.digest()
