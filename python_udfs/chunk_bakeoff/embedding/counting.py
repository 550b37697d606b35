"""Token counts of texts with each tokenizer that the settings name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from chunk_bakeoff.batches import BatchFunction
from chunk_bakeoff.embedding.declared import find_model
from chunk_bakeoff.tokens import load_tokenizer

COUNT_SCHEMA = pa.schema(
    [
        pa.field("tokenizer", pa.string(), nullable=False),
        pa.field("text_key", pa.string(), nullable=False),
        pa.field("token_count", pa.int64(), nullable=False),
        pa.field("unknown_count", pa.int64(), nullable=False),
        pa.field("unknown_characters", pa.int64(), nullable=False),
    ]
)


def token_counter(settings: Sequence[Mapping[str, Any]]) -> BatchFunction:
    """A function from batches (tokenizer, text_key, text) to batches of `COUNT_SCHEMA`.

    `tokenizer` is the name of a declared model; special tokens are counted, nothing is cut off.
    """

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            columns = batch.to_pydict()
            by_tokenizer: dict[str, list[int]] = {}
            for position, name in enumerate(columns["tokenizer"]):
                by_tokenizer.setdefault(name, []).append(position)
            for name, positions in by_tokenizer.items():
                tokenizer = load_tokenizer(find_model(settings, name).tokenizer_source)
                counts = tokenizer.count([columns["text"][p] for p in positions])
                yield pa.RecordBatch.from_pydict(
                    {
                        "tokenizer": [name] * len(positions),
                        "text_key": [columns["text_key"][p] for p in positions],
                        "token_count": [count.tokens for count in counts],
                        "unknown_count": [count.unknown for count in counts],
                        "unknown_characters": [count.unknown_characters for count in counts],
                    },
                    schema=COUNT_SCHEMA,
                )

    return run
