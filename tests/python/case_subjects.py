"""Generic strategy names of the hard inputs as strategies of this project."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
from support import TOKENIZER

from chunk_bakeoff.chunk import Chunk, Sizing, chunker
from chunk_bakeoff.documents import Document, canonical_text
from chunk_bakeoff.strategies import (
    elements,
    fixed,
    fixed_chars,
    recursive,
    recursive_chars,
    semantic,
    sentences,
    structure,
    transcripts,
    whole_sections,
)
from chunk_bakeoff.tokens import load_tokenizer
from chunk_bakeoff.units import units

MODELS = [{"name": "m", "source": TOKENIZER, "dimensions": 384, "max_tokens": 256}]


class Characters:
    """Stands in for a tokenizer where a case sizes in characters what is sized in tokens here."""

    special_tokens = 0

    def counter(self, text: str):
        return lambda edges: [end - start for start, end in pairwise(edges)]

    def count_one(self, text: str) -> int:
        return len(text)

    def count_character(self, character: str) -> int:
        return 1


def recursive_counting_characters(
    document: Document, *, size: int, overlap: int
) -> Iterator[Chunk]:
    return recursive.cut(document, sizing=Sizing(Characters(), size), size=size, overlap=overlap)


def recursive_at_line_ends(document: Document, *, size: int) -> Iterator[Chunk]:
    """The separators that B23a gives: blank line and line break, then characters."""
    splitter = recursive.RecursiveSplitter(
        document.text, load_tokenizer(TOKENIZER), recursive.SEPARATORS[:2]
    )
    for span in splitter.split(0, len(document.text), size=size):
        yield Chunk(*span)


def structure_counting_characters(document: Document, *, size: int, path: bool) -> Iterator[Chunk]:
    return structure.cut(document, sizing=Sizing(Characters(), size), path=path)


def tables_counting_characters(
    document: Document, *, size: int, as_sentences: bool
) -> Iterator[Chunk]:
    return elements.cut_tables(
        document, sizing=Sizing(Characters(), size), size=size, as_sentences=as_sentences
    )


def elements_counting_characters(document: Document, *, size: int) -> Iterator[Chunk]:
    return elements.cut(document, sizing=Sizing(Characters(), size), size=size, overlap=0)


def transcripts_counting_characters(document: Document, *, size: int) -> Iterator[Chunk]:
    return transcripts.cut(document, sizing=Sizing(Characters(), size), size=size)


def subjects(config: dict[str, Any]) -> dict[str, tuple[Any, dict[str, Any]]]:
    """Cut function and settings of every strategy here that a case's configuration means."""
    size = {"size": config.get("size")}
    window = {**size, "overlap": config.get("overlap")}
    match config["strategy"], config.get("unit"):
        case "document", None:
            return {"whole_sections": (whole_sections.cut, {"declares": ["over_limit"]})}
        case "fixed", "char":
            return {"fixed_chars": (fixed_chars.cut, window)}
        case "fixed", "token":
            return {"fixed": (fixed.cut, window)}
        case "recursive", "char":
            found = {"recursive": (recursive_counting_characters, window)}
            if not config["overlap"]:
                found["recursive_chars"] = (recursive_chars.cut, size)
            return found
        case "recursive", "token":
            assert config["separators"] == ["\n\n", "\n"]
            return {"recursive": (recursive_at_line_ends, size)}
        case "markdown", "char":
            return {
                f"structure, path {path}": (structure_counting_characters, {**size, "path": path})
                for path in (True, False)
            }
        case "sentence", "token":
            return {
                "sentences": (sentences.cut, window),
                "recursive": (recursive.cut, {**window, "sentences": True}),
                "sentence_window": (sentences.cut_windows, {"neighbours": 1}),
            }
        case "semantic", "token":
            return {
                "semantic": (semantic.cut, {}),
                "cluster_semantic": (semantic.cut_clusters, size),
            }
        case "table", "char":
            return {
                "tables": (tables_counting_characters, {**size, "as_sentences": False}),
                "tables, as sentences": (
                    tables_counting_characters,
                    {**size, "as_sentences": True},
                ),
                "elements": (elements_counting_characters, size),
            }
        case "table", "token":
            return {
                "tables": (elements.cut_tables, size),
                "tables, as sentences": (elements.cut_tables, {**size, "as_sentences": True}),
                "elements": (elements.cut, window),
            }
        case "transcript", "char":
            return {"transcripts": (transcripts_counting_characters, size)}
        case other:
            raise AssertionError(f"no strategy is named for {other}")


def rows(name: str, cut: Any, settings: dict[str, Any], document: Document) -> list[dict[str, Any]]:
    """Chunks as a strategy model stores them, of the canonical text of the document."""
    text = canonical_text(document.text)
    found = units(Document(text, media_type=document.media_type))
    row = {
        "doc_id": document.doc_id,
        "text": text,
        "media_type": document.media_type,
        "language": "und",
        "unit_starts": [unit.start for unit in found],
        "unit_ends": [unit.end for unit in found],
        "unit_vectors": np.eye(max(len(found), 1))[: len(found)].tolist(),
    }
    types = {
        "unit_starts": pa.list_(pa.int64()),
        "unit_ends": pa.list_(pa.int64()),
        "unit_vectors": pa.list_(pa.list_(pa.float32())),
    }
    schema = pa.schema([(column, types.get(column, pa.string())) for column in row])
    function = chunker(cut, {name: settings}, MODELS, version="cases")
    batches = function(iter([pa.RecordBatch.from_pylist([row], schema=schema)]))
    return [chunk for batch in batches for chunk in batch.to_pylist()]
