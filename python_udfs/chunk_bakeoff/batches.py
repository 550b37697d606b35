"""One function over batches, on whatever engine holds the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa

BatchFunction = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]

# Rows are whole documents or texts, so batches stay small.
BATCH_ROWS = 256


def map_batches(relation: Any, function: BatchFunction, schema: pa.Schema) -> Any:
    """Apply `function` to the rows of `relation` in batches.

    Args:
        relation: what `dbt.ref` gives: a DuckDB relation, or a Spark DataFrame.
        function: takes and gives an iterator of Arrow record batches.
        schema: of the batches it gives.

    Returns:
        A `RecordBatchReader` that streams (DuckDB), or a DataFrame (Spark).
    """
    if hasattr(relation, "mapInArrow"):
        from pyspark.sql.pandas.types import from_arrow_schema

        return relation.mapInArrow(function, from_arrow_schema(schema))
    # The input is fetched whole: an undrained result would block the connection that dbt then
    # uses to store the output.
    table = relation.to_arrow_table()
    return pa.RecordBatchReader.from_batches(schema, _checked(table, function, schema))


def _checked(
    table: pa.Table, function: BatchFunction, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    for batch in function(iter(table.to_batches(max_chunksize=BATCH_ROWS))):
        if not batch.schema.equals(schema):
            batch = batch.cast(schema)
        yield batch
