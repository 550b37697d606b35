"""Embedding models as the settings declare them, and the revision that stamps their vectors."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import pyarrow as pa

from chunk_bakeoff.errors import UserError
from chunk_bakeoff.tokens import LEXICAL_SOURCE


@dataclass(frozen=True, slots=True)
class DeclaredModel:
    """One entry of the setting `embedding_models`.

    Attributes:
        name: the public name, `embedding_model` in every mart.
        dimensions: length of its vectors.
        source: where its files are: `package:NAME`, a folder, or a name on the Hugging Face hub.
        max_tokens: longest input it reads, special tokens included; the rest is cut off.
        provider: which code encodes, see `chunk_bakeoff.embedding.providers`.
        options: the provider's own settings.
        tokenizer: where its tokenizer is loaded from, if not from `source`.
        query_prefix: text in front of every question.
        passage_prefix: text in front of every chunk.
        price_per_million_tokens: in the currency of your choice.
        batch_tokens: most tokens in one batch, padding included.
        truncation_of: name of the declared model whose stored vectors are cut to `dimensions`
            and brought back to length 1; nothing is embedded (Matryoshka, Kusupati et al. 2022).
    """

    name: str
    dimensions: int
    source: str = ""
    max_tokens: int = 0
    provider: str = "sentence_transformers"
    options: Mapping[str, Any] = field(default_factory=dict)
    tokenizer: str = ""
    query_prefix: str = ""
    passage_prefix: str = ""
    price_per_million_tokens: float = 0.0
    batch_tokens: int = 4096
    truncation_of: str = ""

    @property
    def tokenizer_source(self) -> str:
        """Where the tokenizer is loaded from."""
        return self.tokenizer or self.source

    @property
    def encoded_by(self) -> str:
        """The declared model that makes the vectors: itself, or the one it truncates."""
        return self.truncation_of or self.name

    @property
    def has_vectors(self) -> bool:
        """False for the built-in counter of lexical units."""
        return self.provider != "none"

    def prefix(self, text_kind: str) -> str:
        """The prefix for `passage` or `query`."""
        return self.query_prefix if text_kind == "query" else self.passage_prefix

    def revision(self) -> str:
        """Hash of everything besides the text that the stored vectors depend on."""
        # Providers know this class, so they cannot be imported above.
        from chunk_bakeoff.embedding.providers import identity

        # A setting that is added later must not change the revision of the vectors that lie in
        # stores already: it goes into the provider's identity.
        recipe = {
            "dimensions": self.dimensions,
            "max_tokens": self.max_tokens,
            "passage_prefix": self.passage_prefix,
            "provider": self.provider,
            "query_prefix": self.query_prefix,
        }
        digest = hashlib.sha256(json.dumps(recipe, sort_keys=True).encode())
        digest.update(identity(self) if self.has_vectors else self.source.encode())
        return digest.hexdigest()[:16]


# Sizes and counts where no model is declared. The limit stands in for that of a usual model.
LEXICAL_UNITS = DeclaredModel(
    name="lexical_units",
    source=LEXICAL_SOURCE,
    dimensions=0,
    max_tokens=256,
    provider="none",
)
# What marts say where no model counts or ranks.
_TAKEN_NAMES = (LEXICAL_UNITS.name, "none")


def declared_models(settings: Sequence[Mapping[str, Any]]) -> list[DeclaredModel]:
    """The declared models, checked; `LEXICAL_UNITS` alone where none is declared.

    A truncation takes its settings from the model it truncates.

    Raises:
        UserError: no list of mappings, a name twice, a key unknown, missing or of the wrong
            kind, or a truncation that does not fit its model.
    """
    if not settings:
        return [LEXICAL_UNITS]
    if not isinstance(settings, (list, tuple)) or not all(
        isinstance(entry, Mapping) for entry in settings
    ):
        raise UserError(
            f"embedding_models must be a list of models, each with its settings, not {settings!r}"
        )
    entries = [_checked(position, entry) for position, entry in enumerate(settings, 1)]
    names = [model.name for model in entries]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise UserError(f"embedding_models: {repeated} declared more than once")
    if entries[0].truncation_of:
        raise UserError(
            f"embedding_models: the first model is the default and cannot be a truncation; put "
            f"{entries[0].truncation_of!r} in front of {entries[0].name!r}"
        )
    whole = {model.name: model for model in entries if not model.truncation_of}
    return [_truncated(model, whole) if model.truncation_of else model for model in entries]


def encoding_models(settings: Sequence[Mapping[str, Any]]) -> list[DeclaredModel]:
    """The declared models that encode texts themselves, that is all but the truncations."""
    return [model for model in declared_models(settings) if not model.truncation_of]


def _check_kind(label: str, key: str, value: Any) -> None:
    """Refuse a number given as text, a fraction where a count is meant, a list where text is."""
    if key in ("dimensions", "max_tokens", "batch_tokens"):
        fits, kind = type(value) is int and value > 0, "a whole number above 0"
    elif key == "price_per_million_tokens":
        fits, kind = type(value) in (int, float) and value >= 0, "a number from 0 on"
    elif key == "options":
        fits, kind = isinstance(value, Mapping), "a mapping"
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
    if name == LEXICAL_UNITS.name:
        return LEXICAL_UNITS
    for model in models:
        if model.name == name:
            return model
    raise UserError(
        f"embedding model {name!r} is not declared; embedding_models has "
        f"{[model.name for model in models]}"
    )


def _checked(position: int, entry: Mapping[str, Any]) -> DeclaredModel:
    label = f"embedding_models entry {position} ({entry.get('name', 'without a name')})"
    known = {field.name for field in fields(DeclaredModel)}
    unknown = sorted(set(entry) - known)
    if unknown:
        raise UserError(f"{label}: unknown key {unknown}; known: {sorted(known)}")
    if entry.get("truncation_of"):
        needed = ("name", "dimensions", "truncation_of")
        surplus = sorted(set(entry) - set(needed))
        if surplus:
            raise UserError(
                f"{label}: a truncation has the settings of {entry['truncation_of']!r}; "
                f"remove {surplus}"
            )
    else:
        needed = ("name", "source", "dimensions", "max_tokens")
    missing = [key for key in needed if not entry.get(key)]
    if missing:
        raise UserError(f"{label}: {missing} must be given")
    for key, value in entry.items():
        _check_kind(label, key, value)
    # The name stands in the SQL of models.
    if "'" in entry["name"]:
        raise UserError(f"{label}: name must be without quotes")
    if entry["name"] in _TAKEN_NAMES:
        raise UserError(f"{label}: this name stands for no model in the marts; choose another")
    if entry.get("provider") == LEXICAL_UNITS.provider:
        raise UserError(
            f"{label}: provider {entry['provider']!r} gives no vectors; remove the entry, and list "
            "only retrievers that need none"
        )
    return DeclaredModel(**entry)


def _truncated(model: DeclaredModel, whole: Mapping[str, DeclaredModel]) -> DeclaredModel:
    base = whole.get(model.truncation_of)
    if base is None:
        raise UserError(
            f"embedding model {model.name!r}: truncation_of names {model.truncation_of!r}, which "
            f"is not a declared model that encodes; there are {sorted(whole)}"
        )
    if model.dimensions >= base.dimensions:
        raise UserError(
            f"embedding model {model.name!r}: {model.dimensions} dimensions are not fewer than "
            f"the {base.dimensions} of {base.name!r}"
        )
    return replace(
        base, name=model.name, dimensions=model.dimensions, truncation_of=model.truncation_of
    )


MODEL_SCHEMA = pa.schema(
    [
        pa.field("embedding_model", pa.string(), nullable=False),
        pa.field("model_revision", pa.string(), nullable=False),
        pa.field("is_default", pa.bool_(), nullable=False),
        pa.field("encoded_by", pa.string(), nullable=False),
        pa.field("encoder_revision", pa.string(), nullable=False),
        pa.field("dimensions", pa.int64(), nullable=False),
        pa.field("max_tokens", pa.int64(), nullable=False),
        pa.field("provider", pa.string(), nullable=False),
        pa.field("source", pa.string(), nullable=False),
        pa.field("query_prefix", pa.string(), nullable=False),
        pa.field("passage_prefix", pa.string(), nullable=False),
        pa.field("price_per_million_tokens", pa.float64(), nullable=False),
        pa.field("batch_tokens", pa.int64(), nullable=False),
    ]
)


def model_table(settings: Sequence[Mapping[str, Any]]) -> pa.Table:
    """The declared models with their revisions, one row each; the first is the default."""
    models = declared_models(settings)
    revisions = {model.name: model.revision() for model in models if not model.truncation_of}
    rows = [
        {
            "embedding_model": model.name,
            "model_revision": (
                f"{revisions[model.encoded_by]}-{model.dimensions}"
                if model.truncation_of
                else revisions[model.name]
            ),
            "is_default": position == 0,
            "encoded_by": model.encoded_by,
            "encoder_revision": revisions[model.encoded_by],
            **{
                name: getattr(model, name)
                for name in MODEL_SCHEMA.names
                if name in {field.name for field in fields(DeclaredModel)}
            },
        }
        for position, model in enumerate(models)
    ]
    return pa.Table.from_pylist(rows, schema=MODEL_SCHEMA)
