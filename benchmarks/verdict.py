"""All marts of the verdict on synthetic rankings: `python benchmarks/verdict.py [QUESTIONS ...]`.

30 strategies, by default 500 and 5,000 questions, 50 results each. Seconds, peak memory, and the
ratio to the smallest size are printed.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd

PROJECT = Path(__file__).resolve().parents[1]
STRATEGIES = 30
DEPTH = 50
DOCUMENTS = 20
CHARACTERS = 50_000
SETTINGS = {
    "k_values": [1, 3, 5, 10, DEPTH],
    "token_budgets": [500, 1000, 2000],
    "baseline_strategy": "s00",
}
SELECTED = (
    "path:models/verdict",
    "path:models/outcomes",
    "fct_span_outcomes",
    "fct_metrics",
    "rpt_strategy_leaderboard",
)


def main(arguments: Sequence[str]) -> None:
    """Measure every size and print one line each."""
    sizes = [int(size) for size in arguments] or [500, 5_000]
    first = None
    for questions in sizes:
        seconds, megabytes, rows = measure(questions)
        first = first or seconds
        print(
            f"verdict: {STRATEGIES} strategies x {questions} questions x depth {DEPTH} "
            f"({rows:,} results): {seconds:.1f} s, {megabytes:.0f} MB, "
            f"{seconds / first:.1f} times the first",
            flush=True,
        )


def measure(questions: int) -> tuple[float, float, int]:
    """Seconds and peak memory of one dbt run over the marts, dbt's own start included."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "synthetic.duckdb"
        rows = fill(database, questions)
        environment = {**os.environ, "CHUNK_BAKEOFF_DATABASE": str(database), "DO_NOT_TRACK": "1"}
        command = [
            *(sys.executable, "-c", "from dbt.cli.main import cli; cli()", "--quiet"),
            *("build", "--exclude-resource-type", "test", "--exclude-resource-type", "unit_test"),
            *("--select", *SELECTED, "miss_causes", "hypotheses"),
            *("--project-dir", str(PROJECT), "--profiles-dir", str(PROJECT)),
            *("--target-path", str(Path(folder) / "target"), "--vars", json.dumps(SETTINGS)),
        ]
        started = time.perf_counter()
        subprocess.run(command, cwd=PROJECT, env=environment, check=True)
        seconds = time.perf_counter() - started
    # The largest of the children so far, in kilobytes: sizes are measured in ascending order.
    return seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, rows


def fill(database: Path, questions: int) -> int:
    """Tables as the ranking would leave them; gives the number of results."""
    random = np.random.default_rng(20260101)
    words = np.array([f"word{number}" for number in range(2_000)])
    texts = [" ".join(random.choice(words, CHARACTERS // 6))[:CHARACTERS] for _ in range(DOCUMENTS)]
    documents = pd.DataFrame(
        {
            "doc_id": [f"d{number:02}" for number in range(DOCUMENTS)],
            "doc_type": [f"type{number % 4}" for number in range(DOCUMENTS)],
            "text": texts,
        }
    )
    asked = pd.DataFrame({"number": range(questions)})
    asked["question_id"] = asked["number"].map("q{:05}".format)
    asked["document"] = random.integers(0, DOCUMENTS, questions)
    asked["char_start"] = random.integers(0, CHARACTERS - 300, questions)
    asked["char_end"] = asked["char_start"] + random.integers(40, 200, questions)
    asked["quote"] = [
        texts[row.document][row.char_start : row.char_end] for row in asked.itertuples()
    ]
    asked["doc_id"] = asked["document"].map("d{:02}".format)
    sizes = np.linspace(300, 1_200, STRATEGIES).astype(int)
    chunks = pd.concat(_chunks(name, size) for name, size in enumerate(sizes))
    results = pd.concat(_results(random, name, size, asked) for name, size in enumerate(sizes))
    with duckdb.connect(str(database)) as connection:
        for name in ("documents", "asked", "chunks", "results"):
            connection.register(name, locals()[name])
        for statement in TABLES.split(";"):
            if statement.strip():
                connection.execute(statement)
    return len(results)


def _per_document(size: int) -> int:
    return -(-CHARACTERS // size)


def _chunks(name: int, size: int) -> pd.DataFrame:
    count = _per_document(size)
    index = np.tile(np.arange(count), DOCUMENTS)
    document = np.repeat(np.arange(DOCUMENTS), count)
    return pd.DataFrame(
        {
            "strategy": f"s{name:02}",
            "document": document,
            "number": document * count + index,
            "char_start": index * size,
            "char_end": np.minimum((index + 1) * size, CHARACTERS),
        }
    )


def _results(
    random: np.random.Generator, name: int, size: int, asked: pd.DataFrame
) -> pd.DataFrame:
    """Random contexts, and the one with the evidence among the first for most questions."""
    count = _per_document(size)
    total = count * DOCUMENTS
    first = random.integers(0, total, len(asked))
    # An odd stride never meets itself within the depth.
    chosen = (first[:, None] + np.arange(DEPTH) * 7) % total
    gold = asked["document"].to_numpy() * count + asked["char_start"].to_numpy() // size
    place = np.minimum(random.geometric(0.2, len(asked)) - 1, DEPTH - 1)
    found = random.random(len(asked)) < 0.8
    chosen[np.arange(len(asked))[found], place[found]] = gold[found]
    frame = pd.DataFrame(
        {
            "strategy": f"s{name:02}",
            "question_id": np.repeat(asked["question_id"].to_numpy(), DEPTH),
            "number": chosen.ravel(),
            "score": np.tile(1 - np.arange(DEPTH) / DEPTH, len(asked)),
        }
    ).drop_duplicates(["question_id", "number"])
    return frame.assign(rank=frame.groupby("question_id").cumcount() + 1)


TABLES = """
create table stg_documents as
select
    *, sha256(text) as content_sha256, ['public'] as acl, 'en' as language,
    'text/markdown' as media_type
from documents;
create table stg_questions as
select
    question_id, 'what about ' || left(quote, 40) as question, 'wh' || number % 4 as question_form,
    'en' as language, case when number % 4 = 0 then 'holdout' else 'tune' end as split,
    ['public'] as groups, true as answerable, ['tag' || number % 8] as tags
from asked;
create table stg_golden_spans as
select
    question_id, 'span' as label_kind, cast(1 as bigint) as span_index, doc_id, quote,
    cast(null as varchar) as section, 'ok' as status, cast(char_start as bigint) as char_start,
    cast(char_end as bigint) as char_end, cast(1 as bigint) as occurrence_count
from asked;
create table int_embedding_models as
select
    'm' as embedding_model, 'r' as model_revision, '' as query_prefix, '' as passage_prefix,
    cast(256 as bigint) as max_tokens, cast(384 as bigint) as dimensions,
    0.0 as price_per_million_tokens, true as is_default;
create table int_configurations as
select
    strategy || '/dense/m/plain' as config_id, strategy, 'dense' as retriever,
    'm' as embedding_model, 'plain' as delivery, 'tokens' as count_unit
from (select distinct strategy from chunks);
create table int_chunks as
select
    strategy, strategy || '-' || number as chunk_id, d.doc_id, 'r' as revision, ['public'] as acl,
    'public' as access_key,
    cast(char_start as bigint) as char_start, cast(char_end as bigint) as char_end,
    substring(text, char_start + 1, char_end - char_start) as body, body as embed_text,
    'c' || number as context_id, cast(char_start as bigint) as context_start,
    cast(char_end as bigint) as context_end, body as context_text,
    cast((char_end - char_start) // 4 as bigint) as context_tokens, md5(body) as embedding_key,
    '1' as strategy_version, cast('{}' as json) as settings, number
from chunks inner join documents as d on d.doc_id = printf('d%02d', document);
create table int_chunk_tokens as
select
    'm' as embedding_model, strategy, chunk_id, context_tokens as token_count,
    false as over_limit
from int_chunks;
create table int_question_visibility as
select question_id, 'public' as access_key from asked;
create table fct_retrievals as
select
    r.strategy || '/dense/m/plain' as config_id, r.strategy, 'dense' as retriever,
    'm' as embedding_model, 'plain' as delivery, r.question_id, cast(r.rank as integer) as rank,
    c.context_id, c.chunk_id, c.doc_id, c.context_start, c.context_end, r.score, c.context_tokens,
    cast(sum(c.context_tokens) over (
        partition by r.strategy, r.question_id order by r.rank rows unbounded preceding
    ) as bigint) as cumulative_tokens
from results as r inner join int_chunks as c on r.strategy = c.strategy and r.number = c.number;
"""

if __name__ == "__main__":
    main(sys.argv[1:])
