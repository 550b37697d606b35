"""Spend, savings and estimates, worked out by hand.

The price is 1 per token. With [CLS] and [SEP] the documents have 9 and 10 tokens and are one chunk
each under both strategies; the question has 7.
"""

import pytest

from warehouse import HASHING, Warehouse

pytestmark = pytest.mark.slow

BOTH = {"fixed": {"fixed_16_0": {"size": 16}, "fixed_32_0": {"size": 32}}}


@pytest.fixture
def warehouse(tmp_path):
    priced = {**HASHING, "price_per_million_tokens": 1_000_000}
    warehouse = Warehouse(tmp_path, strategy_variants=BOTH, embedding_models=[priced])
    warehouse.write(
        crews="Night crews check the valves twice.",
        pumps="A pump is replaced after nine years.",
    )
    warehouse.ask({"question_id": "q1", "question": "Who checks the valves?", "groups": "*"})
    return warehouse


def costs(warehouse):
    return warehouse.rows(
        """
        select strategy, sum(spend), sum(tokens_without_cache), sum(saved)
        from rpt_embedding_costs group by strategy order by strategy
        """
    )


def test_estimates_before_and_costs_after(warehouse):
    estimates = ("+rpt_embedding_estimate", "+rpt_llm_context_bill", "+rpt_vector_memory")
    refused = warehouse.dbt("run-operation", "estimate_embeddings", succeeds=False)
    assert f"--select {' '.join(estimates)}, which embeds no chunk" in refused
    warehouse.dbt("run", "--select", *estimates)
    assert warehouse.rows(
        """
        select strategy, texts_to_embed, tokens_to_embed, minutes, price
        from rpt_embedding_estimate order by strategy
        """
    ) == [
        ("(all)", 3, 26, None, 26),
        ("(questions)", 1, 7, None, 7),
        ("fixed_16_0", 2, 19, None, 19),
        ("fixed_32_0", 2, 19, None, 19),
    ]
    # Two calls read 9 + 10 tokens of documents, as many of chunks and 50 of instruction each.
    assert warehouse.rows(
        """
        select calls, input_tokens, cached_tokens_written, cached_tokens_read, output_tokens
        from rpt_llm_context_bill where strategy = 'fixed_16_0'
        """
    ) == [(2, 138, 19, 0, 200)]
    # Two vectors of 64 dimensions; and a hundred million of them.
    assert warehouse.rows(
        """
        select vectors, float32_bytes, float16_bytes, int8_bytes, binary_bytes
        from rpt_vector_memory where strategy in ('fixed_16_0', '(any)') order by vectors
        """
    )[::3] == [
        (2, 512, 256, 128, 16),
        (10**8, 25_600_000_000, 12_800_000_000, 6_400_000_000, 800_000_000),
    ]
    printed = warehouse.dbt("run-operation", "estimate_embeddings")
    assert ["(all)", "hashing", "3", "26", "-", "-", "26"] in [
        line.split() for line in printed.splitlines()
    ]
    # Two calls read 138 tokens at 1 a million and write 200 at 5: 0.001138, and with the 19 of the
    # documents written into a cache at 1.25 it is 0.00114275.
    assert ["fixed_16_0", "2", "138", "19", "0", "119", "200", "0.0011", "0.0011"] in [
        line.split() for line in printed.splitlines()
    ]
    assert warehouse.value("select count(*) from embedding_store") == 0

    warehouse.dbt("run", "--select", "+rpt_embedding_costs", "+embedding_runs")
    # The strategies share both chunks, so that each pays half of 19.
    assert costs(warehouse) == [
        ("(questions)", 7, 7, 0),
        ("fixed_16_0", 9.5, 19, 9.5),
        ("fixed_32_0", 9.5, 19, 9.5),
    ]
    assert warehouse.rows("select texts, tokens, price from embedding_runs") == [(3, 26, 26)]

    # A second run embeds nothing, and saves all of it.
    warehouse.dbt("run", "--select", "+rpt_embedding_costs", "+embedding_runs")
    assert costs(warehouse) == [
        ("(questions)", 7, 14, 7),
        ("fixed_16_0", 9.5, 38, 28.5),
        ("fixed_32_0", 9.5, 38, 28.5),
    ]
    assert warehouse.value("select sum(price) from embedding_runs") == 26
