"""Questions about documents that are given as elements: evidence is a quote from one element."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from chunk_bakeoff.errors import UserError
from chunk_bakeoff.inputs import EVIDENCE_SCHEMA
from chunk_bakeoff.lexical import LexicalTokenizer
from chunk_bakeoff.rows import LIST_SEPARATOR, Row, check_fields, list_of, read_rows, texts_of
from chunk_bakeoff.text import is_blank

FIELDS = ("question_id", "question", "split", "groups", "tags", "answerable", "spans")
SPAN_FIELDS = ("element_id", "quote")
SPLITS = ("tune", "holdout")


def read_element_questions(path: str | None, elements: pa.Table) -> pa.Table:
    """One row per question and piece of evidence; the place of each quote is that in its document.

    Args:
        path: a JSON Lines file whose objects hold exactly the fields of `FIELDS`; `groups` and
            `tags` are lists of text, `answerable` is true or false, and `spans` is a list of
            objects of exactly `SPAN_FIELDS`, empty where there is no answer. None gives no rows.
        elements: of `read_elements`.

    Returns:
        Rows of `EVIDENCE_SCHEMA`, all of label kind `span`.

    Raises:
        UserError: a field is missing, unknown or of another kind, an id stands twice, an element
            is unknown, or a quote does not occur exactly once in its element or begins or ends
            inside a lexical unit. The message names file and line.
    """
    if not path:
        return EVIDENCE_SCHEMA.empty_table()
    by_id = {row["element_id"]: row for row in elements.to_pylist()}
    rows: list[Row] = []
    seen: dict[str, str] = {}
    for number, row in read_rows(Path(path)):
        label = f"{path}, line {number}"
        question = _question(row, label)
        name = question["question_id"]
        if name in seen:
            raise UserError(f"{label}: question_id {name!r} is taken by {seen[name]}; rename one")
        seen[name] = label
        spans = list_of(row, "spans", label)
        if bool(spans) != row["answerable"]:
            raise UserError(
                f"{label}: a question with an answer needs evidence in `spans`, and one without "
                "has none"
            )
        if not spans:
            rows.append(question)
        for index, span in enumerate(spans, 1):
            place = _place(span, by_id, f"{label}, span {index}")
            rows.append({**question, "label_kind": "span", "span_index": index, **place})
    return pa.Table.from_pylist(rows, schema=EVIDENCE_SCHEMA)


def _question(row: Row, label: str) -> Row:
    check_fields(row, FIELDS, label)
    for field in ("question_id", "question", "split"):
        if not isinstance(row[field], str) or is_blank(row[field]):
            raise UserError(f"{label}, field {field!r}: text is expected, not {row[field]!r}")
    if row["split"] not in SPLITS:
        raise UserError(f"{label}, field 'split': {row['split']!r}; known: {', '.join(SPLITS)}")
    if not isinstance(row["answerable"], bool):
        raise UserError(f"{label}, field 'answerable': true or false, not {row['answerable']!r}")
    return {
        "question_id": row["question_id"],
        "question": row["question"],
        "split": row["split"],
        "groups": LIST_SEPARATOR.join(texts_of(row, "groups", label)),
        "tags": LIST_SEPARATOR.join(texts_of(row, "tags", label)),
        "answerable": str(row["answerable"]).lower(),
    }


def _place(span: Any, by_id: Mapping[str, Row], label: str) -> Row:
    if not isinstance(span, dict):
        raise UserError(f"{label}: an object is expected, not {span!r}")
    check_fields(span, SPAN_FIELDS, label)
    element = by_id.get(span["element_id"])
    if element is None:
        raise UserError(f"{label}: there is no element {span['element_id']!r}")
    quote, text = span["quote"], element["text"]
    if not isinstance(quote, str) or is_blank(quote):
        raise UserError(f"{label}, field 'quote': text is expected, not {quote!r}")
    # Overlapping occurrences count too.
    starts = [i for i in range(len(text)) if text.startswith(quote, i)]
    if len(starts) != 1:
        raise UserError(
            f"{label}: the quote {quote!r} occurs {len(starts)} times in element "
            f"{element['element_id']!r}; it must occur exactly once"
        )
    start, end = starts[0], starts[0] + len(quote)
    for position, what in ((start, "begins"), (end, "ends")):
        inside = [u for u in LexicalTokenizer().offsets(text) if u.start < position < u.end]
        if inside:
            unit = text[inside[0].start : inside[0].end]
            raise UserError(f"{label}: the quote {quote!r} {what} inside the unit {unit!r}")
    return {
        "doc_id": element["doc_id"],
        "quote": quote,
        "char_start": element["char_start"] + start,
    }
