"""BM25 and a fusion over many chunks, in SQL and with bm25s in the same process.

python benchmarks/lexical_ranking.py [chunks] [questions]
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import bm25s
import duckdb
import jinja2

from chunk_bakeoff.lexical import lexical_units

REPO = Path(__file__).resolve().parents[1]
K = 10
SETTINGS = {"k1": 1.2, "b": 0.75}


def texts(count: int, words: int, seed: int) -> list[str]:
    """Texts whose words are spread as in natural language (Zipf)."""
    random_words = random.Random(seed)
    vocabulary = [f"word{number}" for number in range(50_000)]
    weights = [1 / (rank + 10) for rank in range(len(vocabulary))]
    drawn = random_words.choices(vocabulary, weights=weights, k=count * words)
    return [" ".join(drawn[i * words : (i + 1) * words]) for i in range(count)]


def sql_of_units(expression: str) -> str:
    source = (REPO / "macros" / "engine" / "lexical_units.sql").read_text("utf-8")
    return jinja2.Environment().from_string(source).module.default__lexical_units(expression)


def compiled(models: list[str]) -> dict[str, str]:
    """The SQL that dbt runs for the models, in lexical mode."""
    with tempfile.TemporaryDirectory() as target:
        command = [sys.executable, "-c", "from dbt.cli.main import cli; cli()", "compile"]
        command += ["--project-dir", str(REPO), "--profiles-dir", str(REPO), "--no-introspect"]
        command += ["--target-path", target, "--log-path", target, "--select", *models]
        command += ["--vars", "{retrievers: [lexical_rrf], embedding_models: []}"]
        database = {"CHUNK_BAKEOFF_DATABASE": str(Path(target) / "bench.duckdb")}
        finished = subprocess.run(
            command, env={**os.environ, **database}, capture_output=True, text=True, check=False
        )
        if finished.returncode:
            raise SystemExit(finished.stdout)
        files = {file.stem: file for file in (Path(target) / "compiled").rglob("*.sql")}
        # The name of the database is that of the file.
        return {name: files[name].read_text("utf-8").replace('"bench".', "") for name in models}


def tables(connection: duckdb.DuckDBPyConnection, passages: list[str], asked: list[str]) -> None:
    """What the scoring models read: one strategy, one audience."""
    connection.execute("create table given as select unnest(?) as body", [passages])
    connection.execute("""
        create table int_chunks as
        select
            's' as strategy, 'c' || rowid as chunk_id, 'd' as doc_id, rowid * 10 as char_start,
            'c' || rowid as context_id, rowid * 10 as context_start, rowid * 10 + 9 as context_end,
            100 as context_tokens, 'k' as embedding_key, 'a' as access_key, body as embed_text
        from given
    """)
    connection.execute(
        "create table int_retrieval_depth as select 's' as strategy, 100 as context_depth"
    )
    connection.execute("create table asked as select unnest(?) as question", [asked])
    connection.execute(
        "create table stg_questions as select 'q' || rowid as question_id, question from asked"
    )
    connection.execute("""
        create table int_audiences as
        select question_id, ['a'] as access_keys, 1 as audience from stg_questions
    """)


def main(chunks: int = 100_000, questions: int = 100) -> None:
    """Print seconds, ratio and memory."""
    passages, asked = texts(chunks, 80, 1), texts(questions, 8, 2)
    index = [
        "int_lexical_texts",
        "int_postings",
        "int_question_units",
        "int_lexical_chunks",
        "int_audience_chunks",
    ]
    fuse = ["int_scores_term_overlap", "int_part_rankings", "int_scores_fused"]
    statements = compiled([*index, "int_scores_bm25", *fuse])
    connection = duckdb.connect()
    tables(connection, passages, asked)

    def run(names: list[str]) -> float:
        started = time.perf_counter()
        for name in names:
            connection.execute(f"create table {name} as {statements[name]}")
        return time.perf_counter() - started

    indexed, scored, fused = run(index), run(["int_scores_bm25"]), run(fuse)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    started = time.perf_counter()
    oracle = bm25s.BM25(method="lucene", **SETTINGS)
    oracle.index([lexical_units(passage) for passage in passages], show_progress=False)
    oracle_indexed = time.perf_counter() - started
    started = time.perf_counter()
    oracle.retrieve([lexical_units(q) for q in asked], k=K, show_progress=False)
    oracle_scored = time.perf_counter() - started

    print(f"{questions} questions x {chunks:,} chunks of 80 words")
    print(f"{'':28}{'SQL':>9}{'bm25s':>9}{'ratio':>8}")
    print(
        f"{'index, seconds':28}{indexed:9.2f}{oracle_indexed:9.2f}{indexed / oracle_indexed:8.2f}"
    )
    print(f"{'BM25, seconds':28}{scored:9.2f}{oracle_scored:9.2f}{scored / oracle_scored:8.2f}")
    print(f"{'term overlap + RRF, seconds':28}{fused:9.2f}")
    print(f"{'peak memory before bm25s, MB':28}{memory:9.0f}")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
