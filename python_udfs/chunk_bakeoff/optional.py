"""Packages that only some strategies need."""

from __future__ import annotations

import importlib
from typing import Any

from chunk_bakeoff.errors import UserError


def required(module: str, package: str) -> Any:
    """The module of an optional package.

    Raises:
        UserError: it is not installed; the message says how to install it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise UserError(
            f"this strategy needs the package {package}, which is not installed; run: "
            f"pip install {package} (or take the strategy out of the setting `strategies`)"
        ) from error
