"""All marts of the verdict on synthetic rankings, at growing sizes."""

import json
from collections.abc import Mapping
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
from measuring import DbtRun, Workspace, print_table

# Strategies and questions: twice the questions or strategies, and ten times the questions.
SIZES = ((15, 500), (30, 500), (30, 1_000), (30, 5_000))
DEPTH = 50
DOCUMENTS = 20
CHARACTERS = 50_000
SEED = 20260101
SETTINGS = {
    "k_values": [1, 3, 5, 10, DEPTH],
    "token_budgets": [500, 1000, 2000],
    "baseline_strategy": "s00",
}
SELECTED = (
    "path:models/verdict",
    "path:models/outcomes",
    "path:models/abstention",
    "fct_span_outcomes",
    "fct_metrics",
    "rpt_strategy_leaderboard",
    "miss_causes",
    "hypotheses",
)
# They have rows for every pair of strategies, so they grow with its number.
PAIRED = (
    "int_config_pairs",
    "int_paired_counts",
    "int_sign_test",
    "int_comparison_families",
    "int_primary_differences",
    "fct_comparisons",
    "fct_flips",
)


def measure(workspace: Workspace) -> None:
    """Print seconds and memory for each size."""
    rows = []
    for strategies, questions in SIZES[:2] if workspace.quick else SIZES:
        name = f"verdict_{strategies}_{questions}"
        results = _fill(workspace.database(name), strategies, questions)
        given = {"database": workspace.database(name), "settings": SETTINGS, "target": name}
        # The first parse of a project is no part of the marts; the later builds do without it.
        parse = workspace.run_dbt("parse", **given)
        run = workspace.run_dbt(
            *("build", "--exclude-resource-type", "test"),
            *("--exclude-resource-type", "unit_test", "--select", *SELECTED),
            **given,
        )
        seconds = _seconds(run)
        paired = sum(seconds.get(model, 0) for model in PAIRED)
        rows.append(
            (
                f"{strategies} x {questions:,}",
                results,
                parse.seconds,
                run.seconds,
                run.cpu_seconds,
                sum(seconds.values()) - paired,
                paired,
                run.peak_megabytes,
            )
        )
        slowest = sorted(seconds, key=seconds.get)[::-1][:5]
        print(f"{rows[-1][0]}: {', '.join(f'{name} {seconds[name]:.1f}' for name in slowest)}")
        workspace.database(name).unlink()
    print(f"{DEPTH} results a question; seconds, of nodes two at a time, and megabytes")
    header = (
        "strategies x questions",
        "results",
        "first parse",
        "dbt build",
        "CPU",
        "marts",
        "of pairs",
        "peak MB",
    )
    print_table(header, rows)


def _seconds(run: DbtRun) -> Mapping[str, float]:
    results = json.loads((run.target / "run_results.json").read_text("utf-8"))["results"]
    return {result["unique_id"].split(".")[2]: result["execution_time"] for result in results}


def _fill(database: Path, strategies: int, questions: int) -> int:
    """Tables as the ranking would leave them; gives the number of results."""
    random = np.random.default_rng(SEED)
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
    sizes = np.linspace(300, 1_200, strategies).astype(int)
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
            "strategy_number": name,
            "question_number": np.repeat(np.arange(len(asked)), DEPTH),
            "number": chosen.ravel(),
            "score": np.tile(1 - np.arange(DEPTH) / DEPTH, len(asked)),
        }
    ).drop_duplicates(["question_number", "number"])
    return frame.assign(rank=frame.groupby("question_number").cumcount() + 1)


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
    ['public'] as groups, '' as tenant, true as answerable, ['tag' || number % 8] as tags
from asked;
create table stg_golden_spans as
select
    question_id, 'span' as label_kind, cast(1 as bigint) as span_index, doc_id, quote,
    cast(null as varchar) as section, 'ok' as status, cast(char_start as bigint) as char_start,
    cast(char_end as bigint) as char_end, cast(1 as bigint) as occurrence_count
from asked;
create table base_golden_spans as
select
    question_id, label_kind, span_index, doc_id, quote, cast(null as bigint) as occurrence,
    char_start, section
from stg_golden_spans;
create table int_access_regions as
select doc_id, 0 as region_start, length(text) as region_end, 'public' as access_key
from documents;
create table int_embedding_models as
select
    'm' as embedding_model, 'r' as model_revision, '' as query_prefix, '' as passage_prefix,
    cast(256 as bigint) as max_tokens, cast(384 as bigint) as dimensions,
    0.0 as price_per_million_tokens, true as is_default;
create table int_configurations as
select
    strategy || '/dense/m/plain' as config_id, strategy, 'dense' as retriever,
    'm' as embedding_model, 'plain' as delivery, 'tokens' as count_unit,
    '{}' as retriever_settings
from (select distinct strategy from chunks);
create table int_chunks as
select
    strategy, strategy || '-' || number as chunk_id, d.doc_id, 'r' as revision, ['public'] as acl,
    'public' as access_key,
    cast(char_start as bigint) as char_start, cast(char_end as bigint) as char_end,
    substring(text, char_start + 1, char_end - char_start) as body, body as embed_text,
    cast(null as varchar) as heading_path, 'c' || number as context_id,
    cast(char_start as bigint) as context_start, cast(char_end as bigint) as context_end,
    body as context_text,
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
    c.strategy || '/dense/m/plain' as config_id, c.strategy, 'dense' as retriever,
    'm' as embedding_model, 'plain' as delivery, a.question_id, cast(r.rank as integer) as rank,
    c.context_id, c.chunk_id, c.doc_id, c.context_start, c.context_end, r.score, c.context_tokens,
    cast(sum(c.context_tokens) over (
        partition by r.strategy_number, r.question_number order by r.rank rows unbounded preceding
    ) as bigint) as cumulative_tokens
from results as r
inner join asked as a on r.question_number = a.number
inner join int_chunks as c
    on c.strategy = printf('s%02d', r.strategy_number) and r.number = c.number;
"""
