"""ONNX Runtime on the weights of a local sentence-transformers model, in float32 or int8.

The graph is exported once on this machine (that needs torch and the package onnx) and kept in a
cache folder; afterwards neither is loaded. Models that mean-pool are exported.
"""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer as FastTokenizer

from chunk_bakeoff.embedding.declared import DeclaredModel
from chunk_bakeoff.embedding.providers import Encoder
from chunk_bakeoff.embedding.providers.files import check_limit, files_digest
from chunk_bakeoff.errors import UserError
from chunk_bakeoff.packaged import model_path

CACHE_VARIABLE = "CHUNK_BAKEOFF_CACHE"
PRECISIONS = ("fp32", "int8")
# Changes whenever the export would give another graph.
EXPORT_VERSION = "2"
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def identity(model: DeclaredModel) -> bytes:
    """See `chunk_bakeoff.embedding.providers.Provider`."""
    precision = _precision(model)
    return files_digest(model.source) + f"{precision}/{EXPORT_VERSION}".encode()


def load(model: DeclaredModel) -> Encoder:
    """See `chunk_bakeoff.embedding.providers.Provider`."""
    check_limit(model)
    return OnnxEncoder(model)


class OnnxEncoder:
    """Mean pooling over the tokens of each text, then length 1."""

    computes_padding = True

    def __init__(self, model: DeclaredModel) -> None:
        graph = _graph(model)
        import onnxruntime

        self._session = onnxruntime.InferenceSession(str(graph), providers=["CPUExecutionProvider"])
        self._inputs = {node.name for node in self._session.get_inputs()}
        self._tokenizer = FastTokenizer.from_file(str(model_path(model.source) / "tokenizer.json"))
        self._tokenizer.enable_truncation(model.max_tokens)
        self._tokenizer.enable_padding(**_padding(model))

    def encode(self, texts: Sequence[str], text_kind: str = "passage") -> np.ndarray:
        """See `chunk_bakeoff.embedding.providers.Encoder`."""
        encoded = self._tokenizer.encode_batch(list(texts))
        arrays = {
            "input_ids": np.asarray([e.ids for e in encoded], dtype=np.int64),
            "attention_mask": np.asarray([e.attention_mask for e in encoded], dtype=np.int64),
            "token_type_ids": np.asarray([e.type_ids for e in encoded], dtype=np.int64),
        }
        inputs = {name: array for name, array in arrays.items() if name in self._inputs}
        (hidden,) = self._session.run(["last_hidden_state"], inputs)
        weights = arrays["attention_mask"].astype(np.float32)
        vectors = np.einsum("ntd,nt->nd", hidden, weights, optimize=True)
        # The sum has the direction of the mean.
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.divide(vectors, norms, out=vectors, where=norms > 0)


def _precision(model: DeclaredModel) -> str:
    options: Mapping[str, str] = model.options
    unknown = sorted(set(options) - {"precision"})
    precision = options.get("precision", "fp32")
    if unknown or precision not in PRECISIONS:
        raise UserError(
            f"embedding model {model.name!r}: the provider onnx has the option precision "
            f"({' or '.join(PRECISIONS)}), not {dict(options)}"
        )
    return precision


def _padding(model: DeclaredModel) -> dict[str, object]:
    """The padding token; its value does not matter, since the mask hides it."""
    configuration = model_path(model.source) / "config.json"
    pad = json.loads(configuration.read_text("utf-8")).get("pad_token_id") or 0
    return {"pad_id": pad}


def _graph(model: DeclaredModel) -> Path:
    """The exported graph; made where it is not in the cache yet.

    Raises:
        UserError: a package is missing, or the model does not mean-pool.
    """
    _check_pooling(model)
    precision = _precision(model)
    folder = _cache_folder() / f"{files_digest(model.source).hex()[:16]}-{EXPORT_VERSION}"
    folder.mkdir(parents=True, exist_ok=True)
    graph = folder / f"{precision}.onnx"
    if not graph.is_file():
        _require(model, "onnxruntime", "onnx")
        whole = folder / "fp32.onnx"
        if not whole.is_file():
            _export(model, whole)
        if precision == "int8":
            _quantize(whole, graph)
    _require(model, "onnxruntime")
    return graph


def _cache_folder() -> Path:
    given = os.environ.get(CACHE_VARIABLE)
    return Path(given) if given else Path.home() / ".cache" / "chunk_bakeoff" / "onnx"


def _require(model: DeclaredModel, *packages: str) -> None:
    missing = [package for package in packages if importlib.util.find_spec(package) is None]
    if missing:
        raise UserError(
            f"embedding model {model.name!r}: {', '.join(missing)} not installed; "
            "run: pip install 'chunk-bakeoff[onnx]'"
        )


def _check_pooling(model: DeclaredModel) -> None:
    file = model_path(model.source) / "1_Pooling" / "config.json"
    if not file.is_file():
        raise UserError(f"embedding model {model.name!r}: there is no {file}")
    pooling = json.loads(file.read_text("utf-8"))
    modes = sorted(
        key.removeprefix("pooling_mode_")
        for key, value in pooling.items()
        if key.startswith("pooling_mode_") and value is True
    ) or [pooling.get("pooling_mode")]
    if modes not in (["mean_tokens"], ["mean"]):
        raise UserError(
            f"embedding model {model.name!r}: the provider onnx exports models that mean-pool; "
            f"this one pools by {modes}. Use the provider sentence_transformers"
        )


def _export(model: DeclaredModel, graph: Path) -> None:
    import torch
    from transformers import AutoModel

    # The plain attention traces into a graph that holds for every length.
    network = AutoModel.from_pretrained(
        str(model_path(model.source)), attn_implementation="eager"
    ).eval()

    class HiddenStates(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, input_ids, attention_mask, token_type_ids):
            return self.network(
                input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
            ).last_hidden_state

    example = torch.ones(2, 8, dtype=torch.long)
    axes = {0: "texts", 1: "tokens"}
    with _written_whole(graph) as unfinished, warnings.catch_warnings(), torch.no_grad():
        # The exporter warns of every Python condition that it traces, and of its successor,
        # which needs a further package.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            HiddenStates(),
            (example, example, torch.zeros_like(example)),
            str(unfinished),
            input_names=list(_INPUTS),
            output_names=["last_hidden_state"],
            dynamic_axes={name: axes for name in (*_INPUTS, "last_hidden_state")},
            opset_version=17,
            dynamo=False,
        )


def _quantize(whole: Path, graph: Path) -> None:
    from onnxruntime.quantization import QuantType, quantize_dynamic

    # It advises preprocessing through the root logger, where it would stand among dbt's lines.
    logging.disable(logging.WARNING)
    try:
        with _written_whole(graph) as unfinished:
            # One scale for each column of weights: with one for all of a matrix the mean cosine
            # distance from float32 was six times as large.
            quantize_dynamic(
                str(whole), str(unfinished), weight_type=QuantType.QInt8, per_channel=True
            )
    finally:
        logging.disable(logging.NOTSET)


@contextmanager
def _written_whole(file: Path) -> Iterator[Path]:
    """A temporary file that takes the final name only when it is complete."""
    handle, name = tempfile.mkstemp(dir=file.parent, suffix=".onnx")
    os.close(handle)
    unfinished = Path(name)
    try:
        yield unfinished
        os.replace(unfinished, file)
    finally:
        unfinished.unlink(missing_ok=True)
