import traceback

import duckdb
import pyarrow as pa
import pytest

from chunk_bakeoff.batches import map_batches
from chunk_bakeoff.errors import UserError, plain_errors


@plain_errors
def model(dbt, session):
    """Raises what `dbt` gives, or returns `session`."""
    if dbt:
        raise dbt
    return session


def test_a_result_passes():
    assert model(None, 7) == 7
    assert (model.__name__, model.__doc__[:6]) == ("model", "Raises")


def test_a_mistake_of_the_user_is_told_without_its_traceback():
    with pytest.raises(UserError, match=r"^d\.csv, line 3: mend it$") as raised:
        model(UserError("d.csv, line 3: mend it"), None)
    told = "".join(traceback.format_exception(raised.value))
    assert "File" not in told and told.endswith("d.csv, line 3: mend it\n")


def test_any_other_error_keeps_its_traceback():
    with pytest.raises(ValueError, match="a bug") as raised:
        model(ValueError("a bug"), None)
    assert not isinstance(raised.value, UserError)
    assert "raise dbt" in "".join(traceback.format_exception(raised.value))


SCHEMA = pa.schema([pa.field("n", pa.int64())])


def streaming(function):
    """A model that streams the numbers 0 to 599 through a function of one batch."""

    def batches(given):
        for batch in given:
            yield function(batch)

    @plain_errors
    def model(dbt, session):
        return map_batches(session.sql("select range as n from range(600)"), batches, SCHEMA)

    return model


def test_a_mistake_found_while_batches_are_streamed_is_told_alone():
    def refuse(batch):
        if batch.column("n")[0].as_py():
            raise UserError("strategy 'v', document 'd': the chunk [3, 4) holds no text")
        return batch

    with duckdb.connect() as connection, pytest.raises(UserError) as raised:
        streaming(refuse)(None, connection)
    told = "".join(traceback.format_exception(raised.value))
    assert told.endswith(": strategy 'v', document 'd': the chunk [3, 4) holds no text\n")
    assert told.count("\n") == 1


def test_what_is_streamed_arrives_whole():
    with duckdb.connect() as connection:
        connection.register("numbers", streaming(lambda batch: batch)(None, connection))
        connection.execute("create table stored as select * from numbers")
        query = "select count(*), sum(n) from stored"
        assert connection.execute(query).fetchone() == (600, 179_700)
