"""The golden set against the documents: every label resolved or given a reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from chunk_bakeoff.batches import BatchFunction
from chunk_bakeoff.spans import Resolution, resolve
from chunk_bakeoff.text import is_blank

RESOLVED_SCHEMA = pa.schema(
    [
        pa.field("question_id", pa.string()),
        pa.field("label_kind", pa.string()),
        pa.field("span_index", pa.int64()),
        pa.field("doc_id", pa.string()),
        pa.field("quote", pa.string()),
        pa.field("section", pa.string()),
        pa.field("status", pa.string()),
        pa.field("char_start", pa.int64()),
        pa.field("char_end", pa.int64()),
        pa.field("occurrence_count", pa.int64()),
        pa.field("occurrence_starts", pa.list_(pa.int64())),
        pa.field("nearest_passage", pa.string()),
        pa.field("nearest_start", pa.int64()),
        pa.field("nearest_distance", pa.int64()),
    ]
)


def resolver(documents: Any) -> BatchFunction:
    """A function that resolves batches of golden spans.

    Args:
        documents: a relation with `doc_id` and `text`.
    """
    table = documents.select("doc_id, text").to_arrow_table()
    texts = dict(zip(*(column.to_pylist() for column in table.columns), strict=True))
    lowered: dict[str, str] = {}

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            rows = []
            for row in batch.to_pylist():
                if row["label_kind"] == "anchor":
                    if not lowered:
                        lowered.update({doc_id: text.lower() for doc_id, text in texts.items()})
                    rows.append({**_given(row), **resolve_anchor(lowered, row["quote"] or "")})
                else:
                    rows.append({**_given(row), **_resolve_span(texts, row)})
            yield pa.RecordBatch.from_pylist(rows, schema=RESOLVED_SCHEMA)

    return run


def resolve_anchor(lowered: Mapping[str, str], anchor: str) -> dict[str, Any]:
    """Status of an anchor, and how often it occurs in all documents, ignoring case.

    Args:
        lowered: lower-cased text by document.
        anchor: the string that a context must contain.
    """
    if is_blank(anchor):
        return {"status": "invalid_empty", "occurrence_count": 0}
    count = sum(text.count(anchor.lower()) for text in lowered.values())
    return {"status": "ok" if count else "not_found", "occurrence_count": count}


def _given(row: Mapping[str, Any]) -> dict[str, Any]:
    columns = ("question_id", "label_kind", "span_index", "doc_id", "quote", "section")
    return {column: row[column] for column in columns}


def _resolve_span(texts: Mapping[str, str], row: Mapping[str, Any]) -> dict[str, Any]:
    text = texts.get(row["doc_id"])
    found: Resolution = resolve(
        text,
        row["quote"] or "",
        occurrence=row["occurrence"],
        char_start=row["char_start"],
        section=row["section"],
    )
    # For the two mismatches the place that was probably meant is the nearest passage.
    nearest = found.nearest or (found.span if found.status != "ok" else None)
    is_ok = found.status == "ok"
    return {
        "status": found.status,
        "char_start": found.span.start if is_ok and found.span else None,
        "char_end": found.span.end if is_ok and found.span else None,
        "occurrence_count": len(found.occurrences),
        "occurrence_starts": list(found.occurrences),
        "nearest_passage": text[nearest.start : nearest.end] if nearest and text else None,
        "nearest_start": nearest.start if nearest else None,
        "nearest_distance": found.distance,
    }
