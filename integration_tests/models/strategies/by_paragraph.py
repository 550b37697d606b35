import re

from chunk_bakeoff.batches import map_batches
from chunk_bakeoff.chunk import CHUNK_SCHEMA, Chunk, chunker


def cut(document):
    for paragraph in re.finditer(r"(?:.+\n?)+", document.text):
        yield Chunk(paragraph.start(), paragraph.start() + len(paragraph[0].rstrip("\n")))


def model(dbt, session):
    chunk = chunker(cut, {"by_paragraph": {}}, version="1")
    return map_batches(dbt.ref("chunk_bakeoff", "stg_documents"), chunk, CHUNK_SCHEMA)
