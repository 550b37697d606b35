"""BM25 and its fusion with vectors, in the project's own SQL and in Python with bm25s."""

import gc
import random
import resource
import time

import bm25s
import duckdb
import numpy as np
from measuring import Workspace, print_table
from ranking import EMBEDDING_MODEL, best_of, compiled_models, numbered, unit_vectors

from chunk_bakeoff.lexical import lexical_units

CHUNKS = 100_000
QUESTIONS = 100
WORDS = 80
K = 10
# What both parts of a fusion hand over, and its constant: the defaults of the project.
DEPTH, CONSTANT = 100, 60
SETTINGS = {"k1": 1.2, "b": 0.75}
INDEX = (
    *("int_lexical_texts", "int_postings", "int_question_units"),
    *("int_lexical_chunks", "int_audience_chunks"),
)
BM25 = ("int_scores_bm25",)
DENSE = ("int_scores_dense",)
FUSION = ("int_part_rankings", "int_scores_fused")


def measure(workspace: Workspace) -> None:
    """Print seconds and peak memory of both, and how far their rankings agree."""
    run = workspace.run_dbt(
        *("compile", "--select", *INDEX, *BM25, *DENSE, *FUSION),
        database=workspace.database("lexical"),
        settings={
            "embedding_models": [EMBEDDING_MODEL],
            "retrievers": ["bm25", "hybrid_rrf"],
            "bm25": SETTINGS,
        },
        target="lexical",
    )
    statements = compiled_models(run.target)
    chunks = CHUNKS // 10 if workspace.quick else CHUNKS
    passages, questions = _texts(chunks, WORDS, seed=1), _texts(QUESTIONS, 8, seed=2)
    vectors, asked = unit_vectors(chunks, seed=3), unit_vectors(QUESTIONS, seed=4)

    before = _peak()
    python, best, fused = _in_python(passages, questions, vectors, asked)
    gc.collect()
    python_peak = _peak()
    with duckdb.connect(str(workspace.database("lexical"))) as connection:
        _fill(connection, passages, questions, vectors, asked)
        sql = {
            name: _seconds(connection, statements, models)
            for name, models in (
                ("index", INDEX),
                ("BM25", BM25),
                ("vectors", DENSE),
                ("fusion", FUSION),
            )
        }
        peak = _peak()
        rows = [(name, sql[name], python[name], sql[name] / python[name]) for name in sql]
        print(f"{QUESTIONS} questions x {chunks:,} chunks of {WORDS} words")
        print_table(("seconds", "SQL", "Python", "ratio"), rows)
        print(f"peak memory, MB: inputs {before:,.0f}, Python {python_peak:,.0f}, SQL {peak:,.0f}")
        bm25 = _agreement(connection, "int_scores_bm25", best)
        fusion = _agreement(connection, "int_scores_fused", fused)
        print(f"same {K} best: BM25 {bm25:.2%}, fusion {fusion:.2%}")


def _texts(count: int, words: int, *, seed: int) -> list[str]:
    """Texts whose words are spread as in natural language (Zipf)."""
    source = random.Random(seed)
    vocabulary = [f"word{number}" for number in range(50_000)]
    weights = [1 / (rank + 10) for rank in range(len(vocabulary))]
    drawn = source.choices(vocabulary, weights=weights, k=count * words)
    return [" ".join(drawn[i * words : (i + 1) * words]) for i in range(count)]


def _in_python(
    passages: list[str], questions: list[str], vectors: np.ndarray, asked: np.ndarray
) -> tuple[dict[str, float], np.ndarray, np.ndarray]:
    """Seconds by part, and the numbers of the best chunks by BM25 and by the fusion."""
    seconds: dict[str, float] = {}
    began = time.perf_counter()
    index = bm25s.BM25(method="lucene", **SETTINGS)
    index.index([lexical_units(passage) for passage in passages], show_progress=False)
    seconds["index"] = time.perf_counter() - began
    began = time.perf_counter()
    units = [lexical_units(question) for question in questions]
    lexical, _ = index.retrieve(units, k=DEPTH, show_progress=False)
    seconds["BM25"] = time.perf_counter() - began
    began = time.perf_counter()
    dense = best_of(vectors, asked, DEPTH)
    seconds["vectors"] = time.perf_counter() - began
    began = time.perf_counter()
    fused = np.array([_fused(*lists) for lists in zip(dense, lexical, strict=True)])
    seconds["fusion"] = time.perf_counter() - began
    return seconds, lexical[:, :K], fused


def _fused(*lists: np.ndarray) -> list[int]:
    scores: dict[int, float] = {}
    for ranked in lists:
        for rank, chunk in enumerate(ranked, 1):
            scores[int(chunk)] = scores.get(int(chunk), 0) + 1 / (CONSTANT + rank)
    return sorted(scores, key=lambda chunk: (-scores[chunk], chunk))[:K]


def _fill(
    connection: duckdb.DuckDBPyConnection,
    passages: list[str],
    questions: list[str],
    vectors: np.ndarray,
    asked: np.ndarray,
) -> None:
    """Make the tables that the ranking reads: one strategy, one audience."""
    passage_table = numbered(vectors).append_column("body", [passages])
    question_table = numbered(asked).append_column("question", [questions])
    connection.register("passages", passage_table)
    connection.register("asked", question_table)
    connection.execute(
        f"""
        create table int_chunks as
        select
            's' as strategy, 'c' || number as chunk_id, 'd' as doc_id, number * 10 as char_start,
            'c' || number as context_id, number * 10 as context_start,
            number * 10 + 9 as context_end, {WORDS} as context_tokens,
            'p' || number as embedding_key, 'a' as access_key, body as embed_text
        from passages;
        create table int_retrieval_depth as
        select 's' as strategy, {DEPTH} as context_depth, {DEPTH} as unit_depth;
        create table stg_questions as
        select 'q' || number as question_id, question from asked;
        create table int_question_visibility as
        select question_id, 'a' as access_key from stg_questions;
        create table int_audiences as
        select question_id, ['a'] as access_keys, 1 as audience from stg_questions;
        create table embeddings as
        select
            '{EMBEDDING_MODEL["name"]}' as embedding_model, 'passage' as text_kind,
            'p' || number as embedding_key, embedding
        from passages
        union all
        select
            '{EMBEDDING_MODEL["name"]}', 'query',
            md5(cast(to_json(['text', question]) as varchar)), embedding
        from asked
        """
    )


def _seconds(
    connection: duckdb.DuckDBPyConnection, statements: dict[str, str], models: tuple[str, ...]
) -> float:
    began = time.perf_counter()
    for name in models:
        connection.execute(f"create table {name} as {statements[name]}")
    return time.perf_counter() - began


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _agreement(connection: duckdb.DuckDBPyConnection, table: str, best: np.ndarray) -> float:
    """Share of the K best chunks of each question that both give."""
    rows = connection.execute(
        f"""
        select cast(substr(question_id, 2) as integer), cast(substr(chunk_id, 2) as integer)
        from {table}
        qualify
            row_number() over (
                partition by question_id
                order by score desc, cast(substr(chunk_id, 2) as integer)
            ) <= {K}
        """
    ).fetchall()
    return sum(chunk in best[question] for question, chunk in rows) / best.size
