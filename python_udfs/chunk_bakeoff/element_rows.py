"""Documents that are given as elements, one JSON object a line."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from chunk_bakeoff.documents import BYTE_ORDER_MARK
from chunk_bakeoff.elements import TABLE_HEADER, TABLE_ROW
from chunk_bakeoff.errors import UserError
from chunk_bakeoff.rows import LIST_SEPARATOR, Row, check_fields, read_rows, texts_of
from chunk_bakeoff.text import is_blank

FIELDS = ("element_id", "doc_id", "revision", "acl", "section_path", "kind", "text")
KINDS = ("heading", "paragraph", "list_item", "code", "quote", "table_header", "table_row")
# What stands between two elements in the text of their document.
SEPARATOR = "\n\n"

ELEMENT_SCHEMA = pa.schema(
    [
        *(pa.field(name, pa.string(), nullable=False) for name in FIELDS),
        pa.field("ordinal", pa.int64(), nullable=False),
        pa.field("char_start", pa.int64(), nullable=False),
        pa.field("char_end", pa.int64(), nullable=False),
    ]
)


def read_elements(path: str | None) -> pa.Table:
    """The elements of a file, with their places in the text of their document.

    The text of a document is its elements in the order of the file, joined by a blank line.

    Args:
        path: a JSON Lines file whose objects hold exactly the fields of `FIELDS`, all text;
            `acl` is `a|b` or a list. None gives no rows.

    Raises:
        UserError: a field is missing, unknown, empty or of another kind, an id stands twice, the
            elements of a document differ in revision, a table changes its section or access
            list, a key is repeated, a number is not finite.
            The message names file and line.
    """
    if not path:
        return ELEMENT_SCHEMA.empty_table()
    rows = []
    seen: dict[str, str] = {}
    reached: dict[str, int] = {}
    revisions: dict[str, str] = {}
    last: dict[str, Row] = {}
    for number, row in read_rows(Path(path)):
        label = f"{path}, line {number}"
        element = _checked(row, label)
        name, doc_id = element["element_id"], element["doc_id"]
        if name in seen:
            raise UserError(f"{label}: element_id {name!r} is taken by {seen[name]}; rename one")
        seen[name] = label
        if revisions.setdefault(doc_id, element["revision"]) != element["revision"]:
            raise UserError(
                f"{label}: revision {element['revision']!r} of document {doc_id!r} differs from "
                f"{revisions[doc_id]!r} above; give all its elements one revision"
            )
        _check_table(element, last.get(doc_id), label)
        last[doc_id] = element
        start = reached[doc_id] + len(SEPARATOR) if doc_id in reached else 0
        reached[doc_id] = start + len(element["text"])
        place = {"ordinal": len(rows), "char_start": start, "char_end": reached[doc_id]}
        rows.append({**element, **place})
    return pa.Table.from_pylist(rows, schema=ELEMENT_SCHEMA)


def _checked(row: Row, label: str) -> dict[str, str]:
    check_fields(row, FIELDS, label)
    if isinstance(row["acl"], list):
        row = {**row, "acl": LIST_SEPARATOR.join(texts_of(row, "acl", label))}
    for field in FIELDS:
        value = row[field]
        if not isinstance(value, str):
            raise UserError(f"{label}, field {field!r}: text is expected, not {value!r}")
        if field != "section_path" and is_blank(value):
            raise UserError(f"{label}, field {field!r}: is empty")
    if row["kind"] not in KINDS:
        raise UserError(f"{label}, field 'kind': {row['kind']!r}; known: {', '.join(KINDS)}")
    if row["text"].startswith(BYTE_ORDER_MARK):
        raise UserError(f"{label}, field 'text': begins with a byte-order mark; remove it")
    return {field: row[field] for field in FIELDS}


def _check_table(element: Row, before: Row | None, label: str) -> None:
    """Refuse a row whose table began in another place, because its header would come along."""
    if element["kind"] != TABLE_ROW:
        return
    if before is None or before["kind"] not in (TABLE_HEADER, TABLE_ROW):
        raise UserError(f"{label}: a {TABLE_ROW} must follow the {TABLE_HEADER} of its table")
    for field in ("section_path", "acl"):
        if element[field] != before[field]:
            raise UserError(
                f"{label}: a table has one {field}, but its row has {element[field]!r} where "
                f"{before['element_id']!r} has {before[field]!r}"
            )
