"""Mistakes that the reader of the message can mend, and how dbt prints them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pyarrow as pa

from chunk_bakeoff.batches import spooled

Model = Callable[[Any, Any], Any]


class UserError(ValueError):
    """A mistake in the files or settings given: the message says where, and how to mend it."""


class PlainError(UserError):
    """A `UserError` without a traceback, however it was raised."""

    __traceback__ = None  # type: ignore[assignment]


def plain_errors(model: Model) -> Model:
    """Let dbt print the message of a `UserError` alone; any other error keeps its traceback.

    Batches that a model streams are made before it returns. Otherwise they would be made while
    DuckDB reads them, and its own error would be wrapped around the message.

    Args:
        model: the function `model(dbt, session)` of a Python model. dbt prints what it raises
            with the whole traceback in front of the message.
    """

    @functools.wraps(model)
    def run(dbt: Any, session: Any) -> Any:
        try:
            result = model(dbt, session)
            return spooled(result) if isinstance(result, pa.RecordBatchReader) else result
        except UserError as error:
            raise PlainError(str(error)) from None

    return run
