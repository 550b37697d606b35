"""Where a model's files lie on this machine."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from chunk_bakeoff.errors import UserError

PACKAGE_PREFIX = "package:"


def model_path(source: str) -> Path:
    """The folder that holds a model's files.

    Args:
        source: `package:NAME` for an installed Python package that ships its model in a folder
            `model`, or the path of a folder.

    Raises:
        UserError: the package is not installed, ships no model, or the folder does not exist.
    """
    if source.startswith(PACKAGE_PREFIX):
        name = source.removeprefix(PACKAGE_PREFIX)
        spec = importlib.util.find_spec(name)
        if spec is None or not spec.submodule_search_locations:
            raise UserError(
                f"model source {source!r}: the package {name!r} is not installed; "
                f"run: pip install {name.replace('_', '-')}"
            )
        folder = Path(next(iter(spec.submodule_search_locations))) / "model"
    else:
        folder = Path(source).expanduser()
    if not folder.is_dir():
        raise UserError(f"model source {source!r}: there is no folder {folder}")
    return folder
