"""Documents that are given as elements, one JSON object a line."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from chunk_bakeoff.errors import UserError
from chunk_bakeoff.rows import read_rows
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
            elements of a document differ in revision, a key is repeated, a number is not finite.
            The message names file and line.
    """
    if not path:
        return ELEMENT_SCHEMA.empty_table()
    rows = []
    seen: dict[str, str] = {}
    reached: dict[str, int] = {}
    revisions: dict[str, str] = {}
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
        start = reached[doc_id] + len(SEPARATOR) if doc_id in reached else 0
        reached[doc_id] = start + len(element["text"])
        place = {"ordinal": len(rows), "char_start": start, "char_end": reached[doc_id]}
        rows.append({**element, **place})
    return pa.Table.from_pylist(rows, schema=ELEMENT_SCHEMA)


def _checked(row: dict[str, object], label: str) -> dict[str, str]:
    missing, unknown = sorted(set(FIELDS) - set(row)), sorted(set(row) - set(FIELDS))
    if missing or unknown:
        raise UserError(
            f"{label}: fields must be exactly {', '.join(FIELDS)}; missing {missing}, "
            f"unknown {unknown}"
        )
    acl = row["acl"]
    if isinstance(acl, list) and all(isinstance(group, str) for group in acl):
        row = {**row, "acl": "|".join(acl)}
    for field in FIELDS:
        value = row[field]
        if not isinstance(value, str):
            raise UserError(f"{label}, field {field!r}: text is expected, not {value!r}")
        if field != "section_path" and is_blank(value):
            raise UserError(f"{label}, field {field!r}: is empty")
    if row["kind"] not in KINDS:
        raise UserError(f"{label}, field 'kind': {row['kind']!r}; known: {', '.join(KINDS)}")
    return {field: str(row[field]) for field in FIELDS}
