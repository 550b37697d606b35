import sys
from types import SimpleNamespace

import duckdb
import pyarrow as pa
import pytest

from chunk_bakeoff.batches import BATCH_ROWS, map_batches

SCHEMA = pa.schema([pa.field("n", pa.int64()), pa.field("double", pa.int64())])


def doubled(batches):
    for batch in batches:
        numbers = batch.column("n").to_pylist()
        yield pa.RecordBatch.from_pydict({"n": numbers, "double": [2 * n for n in numbers]})


@pytest.mark.parametrize("rows", [0, 1, 600])
def test_a_duckdb_relation_is_streamed_in_order(rows):
    with duckdb.connect() as connection:
        relation = connection.sql(f"select range as n from range({rows}) order by n")
        reader = map_batches(relation, doubled, SCHEMA)
        assert isinstance(reader, pa.RecordBatchReader)
        table = reader.read_all()
    assert table.schema == SCHEMA
    assert table.to_pydict() == {"n": list(range(rows)), "double": [2 * n for n in range(rows)]}


def test_batches_are_small():
    sizes = []

    def measuring(batches):
        for batch in batches:
            sizes.append(batch.num_rows)
            yield from doubled(iter([batch]))

    with duckdb.connect() as connection:
        map_batches(
            connection.sql("select range as n from range(600)"), measuring, SCHEMA
        ).read_all()
    assert BATCH_ROWS == 256
    assert sum(sizes) == 600 and max(sizes) <= 256


def test_other_types_are_cast_to_the_schema():
    def narrow(batches):
        for batch in batches:
            yield batch.cast(pa.schema([pa.field("n", pa.int32()), pa.field("double", pa.int8())]))

    with duckdb.connect() as connection:
        relation = connection.sql("select 1 as n, 2 as double")
        assert map_batches(relation, narrow, SCHEMA).read_all().schema == SCHEMA


def test_the_connection_stays_free_while_the_result_is_read():
    with duckdb.connect() as connection:
        relation = connection.sql("select range as n from range(1000)")
        connection.register("doubles", map_batches(relation, doubled, SCHEMA))
        connection.execute("create table stored as select * from doubles")
        assert connection.execute("select sum(double) from stored").fetchone() == (999_000,)


def test_a_spark_frame_goes_through_map_in_arrow(monkeypatch):
    types = SimpleNamespace(from_arrow_schema=lambda schema: ("spark", schema))
    for name, module in (
        ("pyspark", SimpleNamespace()),
        ("pyspark.sql", SimpleNamespace()),
        ("pyspark.sql.pandas", SimpleNamespace()),
        ("pyspark.sql.pandas.types", types),
    ):
        monkeypatch.setitem(sys.modules, name, module)
    frame = SimpleNamespace(mapInArrow=lambda function, schema: (function, schema))
    assert map_batches(frame, doubled, SCHEMA) == (doubled, ("spark", SCHEMA))
