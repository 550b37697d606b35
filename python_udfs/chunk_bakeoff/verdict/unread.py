"""Where a model stopped reading the texts that pass its limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from chunk_bakeoff.embedding.declared import find_model
from chunk_bakeoff.tokens import Tokenizer, load_tokenizer

READ_SCHEMA = pa.schema(
    [
        pa.field("embedding_model", pa.string()),
        pa.field("embedding_key", pa.string()),
        pa.field("read_characters", pa.int64()),
    ]
)


def read_characters(text: str, tokenizer: Tokenizer, limit: int) -> int:
    """Code points of `text` that a model with `limit` tokens reads, special tokens counted."""
    offsets = tokenizer.offsets(text)
    room = limit - tokenizer.special_tokens
    return len(text) if len(offsets) <= room else offsets[room - 1].end


def read_table(long_texts: Any, models: Sequence[Mapping[str, Any]]) -> pa.Table:
    """How much of every text over the limit was read, passage prefix not counted.

    Args:
        long_texts: relation with `embedding_model, embedding_key, embed_text`.
        models: the declared embedding models.
    """
    rows = []
    for row in long_texts.to_arrow_table().to_pylist():
        model = find_model(models, row["embedding_model"])
        text = model.passage_prefix + row["embed_text"]
        read = read_characters(text, load_tokenizer(model.tokenizer_source), model.max_tokens)
        rows.append(
            {
                "embedding_model": row["embedding_model"],
                "embedding_key": row["embedding_key"],
                "read_characters": max(0, read - len(model.passage_prefix)),
            }
        )
    return pa.Table.from_pylist(rows, schema=READ_SCHEMA)
