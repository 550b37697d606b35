"""Reading rows from JSON Lines, CSV and Parquet without changing or guessing anything."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from chunk_bakeoff.documents import BYTE_ORDER_MARK
from chunk_bakeoff.errors import UserError
from chunk_bakeoff.text import is_blank

# A field may hold a whole document; csv refuses more than 131,072 characters by default.
csv.field_size_limit(2**31 - 1)

Row = dict[str, Any]
# What joins the items of a list in one text.
LIST_SEPARATOR = "|"
_SURROGATE = re.compile("[\ud800-\udfff]")


def read_rows(path: Path) -> Iterator[tuple[int, Row]]:
    """Rows of a file with the line (JSON Lines, CSV) or row (Parquet) they come from, from 1.

    CSV values and JSON numbers with a fraction or an exponent stay text as written; an empty CSV
    field is None. Column names are lower-cased.

    Raises:
        UserError: the file cannot be read exactly; the message names file, line and column.
    """
    readers = {".jsonl": _json_lines, ".ndjson": _json_lines, ".csv": _csv, ".parquet": _parquet}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise UserError(f"{path}: unknown kind of file; use one of {', '.join(readers)}")
    return reader(path)


def row_label(path: Path, number: int) -> str:
    """How a row of a file is called: by its line, in Parquet by its number."""
    return f"{'row' if path.suffix.lower() == '.parquet' else 'line'} {number}"


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, line endings as they are.

    Raises:
        UserError: the file is not UTF-8; the message names the byte.
    """
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise UserError(
            f"{path}: not UTF-8 at byte {error.start}; save the file as UTF-8, or leave it out"
        ) from error


def check_fields(row: Mapping[str, Any], fields: Sequence[str], label: str) -> None:
    """Refuse an object that does not hold exactly these fields.

    Raises:
        UserError: a field is missing or unknown.
    """
    missing, unknown = sorted(set(fields) - set(row)), sorted(set(row) - set(fields))
    if missing or unknown:
        raise UserError(
            f"{label}: fields must be exactly {', '.join(fields)}; missing {missing}, "
            f"unknown {unknown}"
        )


def texts_of(row: Mapping[str, Any], field: str, label: str) -> list[str]:
    """A field that is a list of text.

    Raises:
        UserError: it is something else, or an item is blank or holds the separator of lists.
    """
    items = list_of(row, field, label)
    for item in items:
        if not isinstance(item, str) or is_blank(item) or LIST_SEPARATOR in item:
            raise UserError(
                f"{label}, field {field!r}: a text without {LIST_SEPARATOR!r} is expected, "
                f"not {item!r}"
            )
    return items


def list_of(row: Mapping[str, Any], field: str, label: str) -> list[Any]:
    """A field that is a list.

    Raises:
        UserError: it is something else.
    """
    if not isinstance(row[field], list):
        raise UserError(f"{label}, field {field!r}: a list is expected, not {row[field]!r}")
    return row[field]


def _json_lines(path: Path) -> Iterator[tuple[int, Row]]:
    text = read_text(path).removeprefix(BYTE_ORDER_MARK)
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        label = f"{path}, line {number}"
        try:
            row = json.loads(
                line,
                object_pairs_hook=_no_duplicates,
                parse_constant=_no_constant,
                parse_float=str,
            )
        except json.JSONDecodeError as error:
            raise UserError(
                f"{label}: {error.msg} at character {error.colno}; write one JSON object per line"
            ) from error
        except ValueError as error:
            raise UserError(f"{label}: {error}") from error
        if not isinstance(row, dict):
            raise UserError(f"{label}: a line must hold one JSON object")
        _refuse_surrogates(row, f"{label}, {_name(row)}")
        yield number, {key.lower(): value for key, value in row.items()}


def _no_duplicates(pairs: list[tuple[str, Any]]) -> Row:
    seen: set[str] = set()
    for key, _ in pairs:
        if key.lower() in seen:
            raise UserError(f"duplicate key {key!r} (column names ignore case)")
        seen.add(key.lower())
    return dict(pairs)


def _no_constant(name: str) -> Any:
    raise UserError(f"{name} is no JSON value; write null")


def _name(row: Row) -> str:
    for key in ("doc_id", "question_id"):
        if key in row:
            return f"{key} {row[key]!r}"
    return "row without an id"


def _refuse_surrogates(value: Any, label: str, column: str = "") -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            _refuse_surrogates(inner, label, column or str(key))
    elif isinstance(value, list):
        for inner in value:
            _refuse_surrogates(inner, label, column)
    elif isinstance(value, str):
        bad = _SURROGATE.search(value)
        if bad:
            raise UserError(
                f"{label}, column {column!r}: lone surrogate at position {bad.start()}; "
                "remove it from the source"
            )


def _csv(path: Path) -> Iterator[tuple[int, Row]]:
    records = _csv_records(path)
    _, names = next(records, (1, []))
    header = [name.strip().lower() for name in names]
    _refuse_repeated(header, f"{path}, line 1")
    for number, values in records:
        if not values:
            continue
        if len(values) != len(header):
            raise UserError(
                f"{path}, line {number}: {len(values)} fields where the header has "
                f"{len(header)}; quote fields that hold commas"
            )
        yield (
            number,
            {
                name: value if value != "" else None
                for name, value in zip(header, values, strict=True)
            },
        )


def _refuse_repeated(columns: list[str], label: str) -> None:
    repeated = sorted({name for name in columns if columns.count(name) > 1})
    if repeated:
        raise UserError(f"{label}: duplicate column {repeated} (column names ignore case)")


def _csv_records(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Records with the line each begins in."""
    text = read_text(path).removeprefix(BYTE_ORDER_MARK)
    # Split at "\n" alone: `splitlines` also splits inside fields, at U+2028 for example.
    reader = csv.reader(_lines(text), strict=True)
    number = 1
    try:
        for values in reader:
            yield number, values
            number = reader.line_num + 1
    except csv.Error as error:
        raise UserError(
            f"{path}, line {number}: {error}; quote fields that hold quotes or line breaks, "
            "and double each quote inside"
        ) from error


def _lines(text: str) -> Iterator[str]:
    position = 0
    while position < len(text):
        end = text.find("\n", position) + 1 or len(text)
        yield text[position:end]
        position = end


def _parquet(path: Path) -> Iterator[tuple[int, Row]]:
    number = 0
    try:
        file = pq.ParquetFile(path)
        header = [name.lower() for name in file.schema_arrow.names]
        _refuse_repeated(header, str(path))
        for batch in file.iter_batches():
            for row in batch.to_pylist():
                number += 1
                yield number, {key.lower(): value for key, value in row.items()}
    except pa.ArrowInvalid as error:
        raise UserError(f"{path}: cannot be read as Parquet ({error}); write it anew") from error
