"""One function over batches, on whatever engine holds the table."""

from __future__ import annotations

import tempfile
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


def spooled(reader: pa.RecordBatchReader) -> pa.RecordBatchReader:
    """The same batches, all made before the first is given, so that what fails fails here.

    They wait in a temporary file, not in memory; the file goes when the reader does.
    """
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the reader keeps it open
    with pa.ipc.new_stream(file, reader.schema) as stream:
        for batch in reader:
            stream.write_batch(batch)
    file.seek(0)
    return pa.ipc.open_stream(file)


def _checked(
    table: pa.Table, function: BatchFunction, schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    for batch in function(iter(table.to_batches(max_chunksize=BATCH_ROWS))):
        if not batch.schema.equals(schema):
            batch = batch.cast(schema)
        yield batch
