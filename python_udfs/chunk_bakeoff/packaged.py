"""Where a model's files lie on this machine."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

from chunk_bakeoff.errors import UserError

PACKAGE_PREFIX = "package:"
_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")


def model_path(source: str) -> Path:
    """The folder that holds a model's files.

    Args:
        source: `package:NAME` for an installed Python package that ships its model in a folder
            `model`; the path of a folder; or a name on the Hugging Face hub, `owner/name`, which
            is fetched once and then read from the hub's cache on this machine.

    Raises:
        UserError: the package is not installed, ships no model, the folder does not exist, or
            the hub does not give the model.
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
        if not folder.is_dir() and _HUB_NAME.fullmatch(source):
            folder = _hub_folder(source)
    if not folder.is_dir():
        raise UserError(f"model source {source!r}: there is no folder {folder}")
    return folder


def _hub_folder(name: str) -> Path:
    """The hub's files on this machine; they are looked for in its cache first."""
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except Exception:
        # The hub's client raises many kinds of errors for a model that is not in the cache.
        pass
    try:
        return Path(snapshot_download(name))
    except Exception as error:
        raise UserError(
            f"model source {name!r}: neither a folder nor in the Hugging Face cache, and the hub "
            f"did not give it ({type(error).__name__}: {error})"
        ) from error
