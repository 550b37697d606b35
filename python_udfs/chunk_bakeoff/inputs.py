"""A user's own files: documents from a glob, questions with their evidence from one file."""

from __future__ import annotations

import glob
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from chunk_bakeoff.documents import MARKDOWN, canonical_text
from chunk_bakeoff.errors import UserError
from chunk_bakeoff.rows import LIST_SEPARATOR, Row, read_rows, read_text, row_label

DOCUMENT_SCHEMA = pa.schema(
    [
        pa.field(name, pa.string())
        for name in (
            "doc_id",
            "title",
            "text",
            "media_type",
            "doc_type",
            "language",
            "source_system",
            "revision",
            "acl",
            "acl_deny",
            "tenant",
            "updated_at",
        )
    ]
)
EVIDENCE_SCHEMA = pa.schema(
    [
        *(
            pa.field(name, pa.string())
            for name in (
                "question_id",
                "question",
                "question_form",
                "language",
                "split",
                "groups",
                "tenant",
                "answerable",
                "tags",
                "label_kind",
            )
        ),
        pa.field("span_index", pa.int64()),
        pa.field("doc_id", pa.string()),
        pa.field("quote", pa.string()),
        pa.field("occurrence", pa.int64()),
        pa.field("char_start", pa.int64()),
        pa.field("section", pa.string()),
    ]
)
_MEDIA_TYPES = {
    **dict.fromkeys((".md", ".markdown", ".mdx"), MARKDOWN),
    ".py": "text/x-python",
    ".sql": "application/sql",
    **dict.fromkeys((".js", ".mjs", ".jsx"), "text/javascript"),
    **dict.fromkeys((".ts", ".mts"), "text/typescript"),
    ".go": "text/x-go",
    ".rs": "text/x-rust",
    ".java": "text/x-java",
}
_TABLES = (".jsonl", ".ndjson", ".csv", ".parquet")
_QUESTION_COLUMNS = (
    *("question_form", "language", "split", "groups", "tenant", "answerable", "tags"),
)
_EVIDENCE_COLUMNS = ("doc_id", "quote", "anchor", "occurrence", "char_start", "section")
PUBLIC = "public"


def read_documents(pattern: str | None) -> pa.Table:
    """Documents from files: each a document whose id is its stem, or tables of documents.

    Columns of a table that the schema does not know are carried along as text.

    Args:
        pattern: a file, or a glob; `**` matches folders at any depth. None gives no rows.

    Raises:
        UserError: nothing matches, an id is taken twice, or a file cannot be read exactly.
    """
    rows: list[Row] = []
    origin: dict[str, str] = {}
    for path in _matching(pattern, "documents_path", "docs/**/*.md"):
        for label, row in _document_rows(path):
            doc_id = _text(row, "doc_id", label)
            if doc_id in origin:
                raise UserError(
                    f"{label}: doc_id {doc_id!r} is taken by {origin[doc_id]}; rename one of them"
                )
            origin[doc_id] = label
            text = _text(row, "text", f"{label}, doc_id {doc_id!r}", empty=True)
            try:
                canonical_text(text)
            except ValueError as error:
                raise UserError(f"{label}, doc_id {doc_id!r}, column 'text': {error}") from error
            values = {
                column: _joined(value, column, label)
                for column, value in {"acl": PUBLIC, **row}.items()
            }
            rows.append({**values, "doc_id": doc_id, "text": text})
    known = set(DOCUMENT_SCHEMA.names)
    more = sorted({column for row in rows for column in row} - known)
    schema = pa.schema([*DOCUMENT_SCHEMA, *(pa.field(column, pa.string()) for column in more)])
    return pa.Table.from_pylist(rows, schema=schema)


def read_questions(path: str | None) -> pa.Table:
    """One row per question and piece of evidence, from a JSON Lines, CSV or Parquet file.

    A row holds a question and its `quote` (exact text) or `anchor` (a weaker label: any context
    that contains it counts) in `doc_id`, or a list `spans` of quotes or of objects with these
    keys. A question may also be repeated in several rows. An anchor with a `section` gives an
    exact span beside it. Questions without evidence are kept.

    Raises:
        UserError: the file does not exist, or a row cannot be read; file, line and column named.
    """
    rows: list[Row] = []
    first: dict[str, tuple[str, str]] = {}
    spans: dict[tuple[str, str], int] = {}
    given: dict[tuple[Any, ...], str] = {}
    for file in _matching(path, "questions_path", "docs/questions.jsonl"):
        for label, row in _table_rows(file):
            question_id = _text(row, "question_id", label)
            question = _text(row, "question", f"{label}, question_id {question_id!r}")
            earlier = first.setdefault(question_id, (label, question))
            if earlier[1] != question:
                raise UserError(
                    f"{label}: question_id {question_id!r} asks another question than in "
                    f"{earlier[0]}; give it an id of its own"
                )
            base = {
                "question_id": question_id,
                "question": question,
                **{column: _joined(row.get(column), column, label) for column in _QUESTION_COLUMNS},
            }
            evidence = list(_evidence(row, label))
            if not evidence and earlier[0] == label:
                rows.append(base)
            for piece in evidence:
                place = (question_id, *piece.values())
                if place in given:
                    raise UserError(
                        f"{label}: question_id {question_id!r} has the same evidence in "
                        f"{given[place]}; keep one of them"
                    )
                given[place] = label
                key = (question_id, piece["label_kind"])
                spans[key] = spans.get(key, 0) + 1
                rows.append({**base, **piece, "span_index": spans[key]})
    return pa.Table.from_pylist(rows, schema=EVIDENCE_SCHEMA)


def _matching(pattern: str | None, setting: str, example: str) -> list[Path]:
    if not pattern:
        return []
    if not isinstance(pattern, str):
        raise UserError(f"{setting}: a file or a pattern is expected, not {pattern!r}")
    path = Path(pattern).expanduser()
    if path.is_file():
        return [path]
    if path.is_dir():
        raise UserError(f"{setting}: {pattern!r} is a folder; name files in it, e.g. {example}")
    paths = [Path(name) for name in sorted(glob.glob(str(path), recursive=True))]
    files = [path for path in paths if path.is_file()]
    if not files:
        raise UserError(
            f"{setting}: no file matches {pattern!r} (looked from {Path.cwd()}); correct the path, "
            "or run from the folder that it starts from"
        )
    return files


def _table_rows(path: Path) -> Iterator[tuple[str, Row]]:
    number = 0
    for number, row in read_rows(path):
        yield f"{path}, {row_label(path, number)}", row
    if not number:
        raise UserError(f"{path}: holds no row; fill it or leave it out")


def _document_rows(path: Path) -> Iterator[tuple[str, Row]]:
    if path.suffix.lower() in _TABLES:
        yield from _table_rows(path)
    else:
        yield (
            str(path),
            {
                "doc_id": path.stem,
                "text": read_text(path),
                "media_type": _MEDIA_TYPES.get(path.suffix.lower(), "text/plain"),
                "source_system": "files",
            },
        )


def _evidence(row: Row, label: str) -> Iterator[Row]:
    given = row.get("spans")
    if given is None:
        pieces = [row]
    elif row.get("quote") is not None or row.get("anchor") is not None:
        raise UserError(
            f"{label}: has a quote or an anchor beside 'spans'; put all evidence into 'spans'"
        )
    elif isinstance(given, list):
        pieces = [{"doc_id": row.get("doc_id"), **_span(piece, label)} for piece in given]
    else:
        raise UserError(f"{label}, column 'spans': a list is expected, not {given!r}")
    for piece in pieces:
        values = {column: piece.get(column) for column in _EVIDENCE_COLUMNS}
        for column, least in (("occurrence", 1), ("char_start", 0)):
            values[column] = _integer(values[column], column, label, least=least)
        for column in ("doc_id", "section"):
            values[column] = _joined(values[column], column, label)
        quote, anchor = values.pop("quote"), values.pop("anchor")
        if given is not None and quote is None and anchor is None:
            raise UserError(
                f"{label}, column 'spans': the item {piece!r} has neither quote nor anchor; "
                "give one of them, or leave the item out"
            )
        if values["doc_id"] is None and (quote is not None or values["section"] is not None):
            raise UserError(f"{label}: column 'doc_id' is empty or missing; name the document")
        if quote is not None:
            yield {**values, "label_kind": "span", "quote": _single(quote, "quote", label)}
        if anchor is not None:
            anchor = _single(anchor, "anchor", label)
            yield {**values, "label_kind": "anchor", "quote": anchor}
            if values["section"] is not None:
                yield {**values, "label_kind": "span", "quote": anchor}


def _span(piece: Any, label: str) -> Row:
    """An item of `spans`: a quote, or an object whose quote may be called `text`."""
    if isinstance(piece, str):
        return {"quote": piece}
    if isinstance(piece, dict):
        return {"quote": piece.get("text"), **piece}
    raise UserError(f"{label}, column 'spans': a quote or an object is expected, not {piece!r}")


def _text(row: Row, column: str, label: str, *, empty: bool = False) -> str:
    value = row.get(column)
    if value is None or (not empty and not str(value).strip()):
        if empty and column in row:
            return ""
        known = "" if column in row else f"; the row has {', '.join(row)}"
        raise UserError(f"{label}: column {column!r} is empty or missing{known}")
    return _single(value, column, label)


def _single(value: Any, column: str, label: str) -> str:
    if isinstance(value, (list, dict, bytes)):
        raise UserError(f"{label}, column {column!r}: a text is expected, not {value!r}")
    return str(value)


def _integer(value: Any, column: str, label: str, *, least: int) -> int | None:
    if value is None or value == "":
        return None
    try:
        number = int(value)
        if isinstance(value, float) and value != number:
            raise ValueError
    except (TypeError, ValueError, OverflowError) as error:
        raise UserError(f"{label}, column {column!r}: {value!r} is no whole number") from error
    if number < least:
        raise UserError(
            f"{label}, column {column!r}: counted from {least}, so {number} is no place"
        )
    return number


def _joined(value: Any, column: str, label: str) -> str | None:
    """Any value as the text that seeds hold: `a|b` for a list, `true` for a flag.

    Raises:
        UserError: an item of a list holds the separator, which would make two of it.
    """
    if value is None:
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        items = [str(item) for item in value]
        for item in items:
            if LIST_SEPARATOR in item:
                raise UserError(
                    f"{label}, column {column!r}: the item {item!r} holds {LIST_SEPARATOR!r}, "
                    "which separates items; rename it"
                )
        return LIST_SEPARATOR.join(items)
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    return str(value)
