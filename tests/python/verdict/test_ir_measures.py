"""Agreement with ir-measures where the definitions coincide: one chunk, one span.

Characters are counted here, documents there; with chunks of one length that do not overlap, and
gold that is whole chunks, both come to the same.
"""

from __future__ import annotations

from collections import defaultdict

import ir_measures
import numpy as np
import pandas as pd
import pytest
from ir_measures import RR, P, R

K = 10
LENGTH = 10


def random_run(seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Gold chunks per question, and ranked chunks with scores that tie; some questions get none."""
    random = np.random.default_rng(seed)
    gold, ranked = [], []
    for number in range(40):
        question = f"q{number:02}"
        chunks = [f"c{index:03}" for index in random.permutation(30)]
        gold += [(question, chunk) for chunk in chunks[: random.integers(1, 4)]]
        if number % 8 == 0:
            continue
        retrieved = random.permutation(chunks)[: random.integers(1, 20)]
        scores = random.integers(0, 5, size=len(retrieved)) / 10
        # As the rankings here: by score, then by name.
        ordered = sorted(zip(-scores, retrieved, strict=True))
        ranked += [
            (question, chunk, -score, rank) for rank, (score, chunk) in enumerate(ordered, 1)
        ]
    return (
        pd.DataFrame(gold, columns=["question_id", "chunk_id"]),
        pd.DataFrame(ranked, columns=["question_id", "chunk_id", "score", "rank"]),
    )


def by_ir_measures(gold: pd.DataFrame, ranked: pd.DataFrame) -> dict[str, dict[str, float]]:
    """Values per question. Ranks become scores, because ir-measures breaks ties its own way."""
    qrels = [ir_measures.Qrel(q, c, 1) for q, c in gold.itertuples(index=False)]
    run = [
        ir_measures.ScoredDoc(row.question_id, row.chunk_id, 1.0 / row.rank)
        for row in ranked.itertuples()
    ]
    values: dict[str, dict[str, float]] = defaultdict(dict)
    for metric in ir_measures.iter_calc([P @ 5, R @ 5, RR @ K], qrels, run):
        values[str(metric.measure)][metric.query_id] = metric.value
    return values


@pytest.mark.parametrize("seed", range(5))
def test_recall_and_reciprocal_rank_agree(run_question_metrics, seed):
    gold, ranked = random_run(seed)
    expected = by_ir_measures(gold, ranked)
    merged = gold.merge(ranked, on=["question_id", "chunk_id"], how="left")
    outcomes = pd.DataFrame(
        {
            "config_id": "c",
            "label_kind": "span",
            "question_id": merged["question_id"],
            "found_at_rank": merged["rank"].astype("Int64"),
            "found_at_tokens": merged["rank"].astype("Int64") * 100,
            "hit_rank": merged["rank"].astype("Int64"),
        }
    )
    found = run_question_metrics(outcomes)
    for question in gold["question_id"].unique():
        # ir-measures leaves out a question that got nothing; here it counts as 0.
        assert found["recall", 5, question] == pytest.approx(expected["R@5"].get(question, 0.0))
        assert found["mrr", K, question] == pytest.approx(expected[f"RR@{K}"].get(question, 0.0))


@pytest.mark.parametrize("seed", range(5))
def test_precision_and_recall_of_characters_agree(run_model, seed):
    gold, ranked = random_run(seed)
    expected = by_ir_measures(gold, ranked)
    found = character_metrics(run_model, gold, ranked)
    results = ranked.groupby("question_id").size()
    for question in gold["question_id"].unique():
        of_chunks = expected["R@5"].get(question, 0.0)
        assert found["character_recall", 5, question] == pytest.approx(of_chunks)
        # P@5 divides by 5 where fewer are returned; here what is delivered is divided by.
        delivered = min(5, results.get(question, 0))
        of_chunks = expected["P@5"].get(question, 0.0) * 5 / delivered if delivered else 0.0
        assert found["precision", 5, question] == pytest.approx(of_chunks)


def character_metrics(run_model, gold: pd.DataFrame, ranked: pd.DataFrame) -> dict:
    """The models behind precision, on chunks that lie one after the other in one document."""
    start = gold["chunk_id"].str[1:].astype(int) * LENGTH
    spans = gold.assign(doc_id="d", char_start=start, char_end=start + LENGTH)
    start = ranked["chunk_id"].str[1:].astype(int) * LENGTH
    retrievals = ranked.assign(
        config_id="c",
        delivery="plain",
        doc_id="d",
        context_start=start,
        context_end=start + LENGTH,
        context_tokens=1,
    )
    inputs = {
        "fct_retrievals": retrievals,
        "int_scored_spans": spans,
        "int_configurations": pd.DataFrame({"config_id": ["c"], "strategy": ["s"]}),
        "int_ideal_precision": pd.DataFrame(columns=["strategy", "question_id", "ideal_precision"]),
    }
    for model in ("int_gold_regions", "int_delivery_by_k", "int_gold_delivered"):
        inputs[model] = run_model(model, inputs)
    rows = run_model("int_question_characters", inputs)
    return {(r.metric, r.k, r.question_id): r.value for r in rows.itertuples()}
