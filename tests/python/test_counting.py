import pyarrow as pa
import pytest
from support import TOKENIZER

from chunk_bakeoff.embedding.counting import COUNT_SCHEMA, token_counter

MODELS = [
    {"name": "a", "source": TOKENIZER, "dimensions": 4, "max_tokens": 8},
    {"name": "b", "source": TOKENIZER, "dimensions": 4, "max_tokens": 8},
]


def counted(*rows):
    batch = pa.RecordBatch.from_pylist(
        [dict(zip(("tokenizer", "text_key", "text"), row, strict=True)) for row in rows]
    )
    return list(token_counter(MODELS)(iter([batch])))


def test_every_text_with_its_tokenizer():
    batches = counted(("a", "1", "river stone"), ("b", "1", "river"), ("a", "2", "z" * 101))
    assert {batch.schema for batch in batches} == {COUNT_SCHEMA}
    rows = {tuple(row.values()) for batch in batches for row in batch.to_pylist()}
    assert rows == {("a", "1", 4, 0, 0), ("b", "1", 3, 0, 0), ("a", "2", 3, 1, 101)}


def test_a_tokenizer_that_is_not_declared():
    with pytest.raises(ValueError, match="'c' is not declared"):
        counted(("c", "1", "river"))
