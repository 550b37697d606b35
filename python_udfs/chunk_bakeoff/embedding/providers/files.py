"""What a local model's files say about its vectors."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from pathlib import Path

from chunk_bakeoff.embedding.declared import DeclaredModel
from chunk_bakeoff.errors import UserError
from chunk_bakeoff.packaged import model_path

_VECTOR_FILES = (".json", ".txt", ".safetensors", ".bin", ".model", ".onnx")


@lru_cache(maxsize=16)
def files_digest(source: str) -> bytes:
    """SHA-256 over names and contents of the files that determine a local model's vectors."""
    folder = model_path(source)
    digest = hashlib.sha256()
    for file in sorted(_vector_files(folder)):
        digest.update(str(file.relative_to(folder)).encode())
        digest.update(file_digest(file))
    return digest.digest()


def file_digest(file: Path) -> bytes:
    """SHA-256 of one file's contents."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").digest()


def check_limit(model: DeclaredModel) -> None:
    """Refuse a limit beyond the positions that a local model has.

    Every longer text would make it fail.

    Raises:
        UserError: names both.
    """
    configuration = model_path(model.source) / "config.json"
    if not configuration.is_file():
        return
    positions = json.loads(configuration.read_text("utf-8")).get("max_position_embeddings")
    if isinstance(positions, int) and 0 < positions < model.max_tokens:
        raise UserError(
            f"embedding model {model.name!r}: max_tokens is {model.max_tokens}, and the model has "
            f"{positions} positions; correct the setting embedding_models"
        )


def _vector_files(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file() and file.suffix in _VECTOR_FILES]
