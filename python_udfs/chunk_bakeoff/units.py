"""The units that semantic strategies compare, and the table of them that gets vectors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from chunk_bakeoff.documents import Document, document_of
from chunk_bakeoff.markdown import block_tokens, line_starts
from chunk_bakeoff.sentences import sentences
from chunk_bakeoff.text import WHITE_SPACE, WHITE_SPACE_CLASS, Span, strip_span

UNIT_SCHEMA = pa.schema(
    [
        pa.field("doc_id", pa.string(), nullable=False),
        pa.field("unit_index", pa.int64(), nullable=False),
        pa.field("char_start", pa.int64(), nullable=False),
        pa.field("char_end", pa.int64(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
    ]
)
# From the first character that is not white space to a mark before white space or the line's end.
_RUN = re.compile(
    rf"[^{re.escape(WHITE_SPACE)}][^\r\n]*?(?:[.!?](?={WHITE_SPACE_CLASS})|(?=[\r\n])|\Z)"
)
# Scripts whose sentences the pattern above does not end: it asks for an ASCII mark and a space.
_OTHER_MARKS = re.compile("[\u3002\uff01\uff1f\uff61\u0964\u0965\u061f\u06d4\u1362]")


@dataclass(frozen=True, slots=True)
class UnitVectors:
    """The units of one document with their vectors.

    Attributes:
        starts: first code point of each unit, shape `(n,)`.
        ends: one past its last code point, shape `(n,)`.
        vectors: of length 1, float32, shape `(n, dimensions)`.
    """

    starts: np.ndarray
    ends: np.ndarray
    vectors: np.ndarray

    def spans(self) -> list[Span]:
        """The units as spans."""
        return [Span(int(a), int(b)) for a, b in zip(self.starts, self.ends, strict=True)]


def units(document: Document) -> list[Span]:
    """Sentences, list lines and whole fenced code blocks, in order.

    A sentence is a run within one line that ends behind `.`, `!` or `?` before white space, or
    with the line. Lines with sentence marks of other scripts go to the sentence splitter.
    """
    text = document.text
    found: list[Span] = []
    position = 0
    for start, end in _fences(document):
        found.extend(_line_units(document, position, start))
        found.append(strip_span(text, start, end))
        position = end
    found.extend(_line_units(document, position, len(text)))
    return [span for span in found if span.end > span.start]


def unit_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Batches of documents to batches of `UNIT_SCHEMA`."""
    for batch in batches:
        rows = [
            {
                "doc_id": document.doc_id,
                "unit_index": index,
                "char_start": span.start,
                "char_end": span.end,
                "text": document.text[span.start : span.end],
            }
            for document in map(document_of, batch.to_pylist())
            for index, span in enumerate(units(document))
        ]
        yield pa.RecordBatch.from_pylist(rows, schema=UNIT_SCHEMA)


def _line_units(document: Document, start: int, end: int) -> Iterator[Span]:
    for match in _RUN.finditer(document.text, start, end):
        span = strip_span(document.text, *match.span())
        if _OTHER_MARKS.search(document.text, *span):
            yield from sentences(document.text, *span, document.language)
        else:
            yield span


def _fences(document: Document) -> Iterator[Span]:
    if not document.is_markdown or ("```" not in document.text and "~~~" not in document.text):
        return
    starts = [*line_starts(document.text), len(document.text)]
    position = 0
    for token in block_tokens(document.text):
        if token.type == "fence" and token.map:
            first, last = token.map
            span = Span(starts[first], starts[min(last, len(starts) - 1)])
            if span.start >= position:
                yield span
                position = span.end
