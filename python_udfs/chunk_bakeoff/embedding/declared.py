"""Embedding models as the settings declare them, and the revision that stamps their vectors."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import pyarrow as pa

from chunk_bakeoff.errors import UserError
from chunk_bakeoff.packaged import model_path


@dataclass(frozen=True, slots=True)
class DeclaredModel:
    """One entry of the setting `embedding_models`.

    Attributes:
        name: the public name, `embedding_model` in every mart.
        source: `package:NAME`, a folder, or what the provider calls the model.
        dimensions: length of its vectors.
        max_tokens: longest input it reads, special tokens included; the rest is cut off.
        provider: which code encodes: `sentence_transformers` or `hashing`.
        query_prefix: text in front of every question.
        passage_prefix: text in front of every chunk.
        price_per_million_tokens: in the currency of your choice.
        batch_tokens: most tokens in one batch, padding included.
    """

    name: str
    source: str
    dimensions: int
    max_tokens: int
    provider: str = "sentence_transformers"
    query_prefix: str = ""
    passage_prefix: str = ""
    price_per_million_tokens: float = 0.0
    batch_tokens: int = 4096

    def prefix(self, text_kind: str) -> str:
        """The prefix for `passage` or `query`."""
        return self.query_prefix if text_kind == "query" else self.passage_prefix

    def revision(self) -> str:
        """Hash of everything besides the text that a vector depends on."""
        recipe = asdict(self)
        for irrelevant in ("name", "source", "price_per_million_tokens", "batch_tokens"):
            del recipe[irrelevant]
        digest = hashlib.sha256(json.dumps(recipe, sort_keys=True).encode())
        digest.update(_weights_digest(self.source, self.provider))
        return digest.hexdigest()[:16]


def declared_models(settings: Sequence[Mapping[str, Any]]) -> list[DeclaredModel]:
    """The declared models, checked.

    Raises:
        UserError: none declared, a name twice, a key unknown, missing or of the wrong kind.
    """
    if not settings:
        raise UserError("embedding_models is empty; declare at least one model")
    known = {field.name for field in fields(DeclaredModel)}
    models = []
    for position, entry in enumerate(settings, 1):
        label = f"embedding_models entry {position} ({entry.get('name', 'without a name')})"
        unknown = sorted(set(entry) - known)
        if unknown:
            raise UserError(f"{label}: unknown key {unknown}; known: {sorted(known)}")
        missing = [k for k in ("name", "source", "dimensions", "max_tokens") if not entry.get(k)]
        if missing:
            raise UserError(f"{label}: {missing} must be given")
        for key, value in entry.items():
            _check_kind(label, key, value)
        # The name stands in the SQL of models.
        if "'" in entry["name"]:
            raise UserError(f"{label}: name must be without quotes")
        models.append(DeclaredModel(**entry))
    names = [model.name for model in models]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise UserError(f"embedding_models: {repeated} declared more than once")
    return models


def _check_kind(label: str, key: str, value: Any) -> None:
    """Refuse a number given as text, a fraction where a count is meant, a list where text is."""
    if key in ("dimensions", "max_tokens", "batch_tokens"):
        fits, kind = type(value) is int and value > 0, "a whole number above 0"
    elif key == "price_per_million_tokens":
        fits, kind = type(value) in (int, float) and value >= 0, "a number from 0 on"
    else:
        fits, kind = isinstance(value, str), "a text"
    if not fits:
        raise UserError(f"{label}: {key} must be {kind}, not {value!r}")


def find_model(settings: Sequence[Mapping[str, Any]], name: str | None) -> DeclaredModel:
    """The declared model called `name`, or the first one.

    Raises:
        UserError: there is none of that name.
    """
    models = declared_models(settings)
    if name is None:
        return models[0]
    for model in models:
        if model.name == name:
            return model
    raise UserError(
        f"embedding model {name!r} is not declared; embedding_models has "
        f"{[model.name for model in models]}"
    )


def _weights_digest(source: str, provider: str) -> bytes:
    """Hash of the files that determine a local model's vectors; of the name for a provider's."""
    if provider == "hashing":
        return hashlib.sha256(source.encode()).digest()
    folder = model_path(source)
    digest = hashlib.sha256()
    for file in sorted(_vector_files(folder)):
        digest.update(str(file.relative_to(folder)).encode())
        with file.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.digest()


def _vector_files(folder: Path) -> list[Path]:
    kinds = (".json", ".txt", ".safetensors", ".bin", ".model", ".onnx")
    return [file for file in folder.rglob("*") if file.is_file() and file.suffix in kinds]


def model_table(settings: Sequence[Mapping[str, Any]]) -> pa.Table:
    """The declared models with their revision, one row each; the first is the default."""
    models = declared_models(settings)
    rows = [
        {
            **asdict(model),
            "model_revision": model.revision(),
            "is_default": position == 0,
        }
        for position, model in enumerate(models)
    ]
    return pa.Table.from_pylist(rows).rename_columns({"name": "embedding_model"})
