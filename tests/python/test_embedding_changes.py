"""Each kind of change embeds exactly the texts that are new; counts are worked out by hand.

A document is one chunk: fixed windows of 16 tokens, and no sentence has more.
"""

import os
import subprocess
import sys

import duckdb
import pytest

from warehouse import HASHING, Warehouse

pytestmark = pytest.mark.slow

CREWS = "Night crews check the valves twice."
PUMPS = "A pump is replaced after nine years."
FILTERS = "Filters are washed every spring."
QUESTION = {"question_id": "q1", "question": "Who checks the valves?", "groups": "*"}


@pytest.fixture
def warehouse(tmp_path):
    return Warehouse(tmp_path)


def stored(warehouse):
    return warehouse.value("select count(*) from embedding_store")


def test_every_change_embeds_only_what_is_new(warehouse):
    warehouse.write(crews=CREWS, pumps=PUMPS)
    warehouse.ask(QUESTION)

    warehouse.build()
    assert warehouse.embedded_now() == {"passage": 2, "query": 1}

    # Nothing changed.
    warehouse.build()
    assert warehouse.embedded_now() == {}

    # Insert a document.
    warehouse.write(filters=FILTERS)
    warehouse.build()
    assert warehouse.embedded_now() == {"passage": 1}

    # Edit one.
    warehouse.write(pumps="A pump is replaced after ten years.")
    warehouse.build()
    assert warehouse.embedded_now() == {"passage": 1}
    assert stored(warehouse) == 5

    # Delete one, and rename another: the text is the same, so is its vector.
    (warehouse.documents / "filters.md").unlink()
    (warehouse.documents / "crews.md").rename(warehouse.documents / "night_crews.md")
    warehouse.build()
    assert warehouse.embedded_now() == {}
    assert sorted(warehouse.rows("select distinct doc_id from int_chunks")) == [
        ("night_crews",),
        ("pumps",),
    ]

    # A second strategy whose chunks are the same texts shares their vectors.
    both = {"fixed": {"fixed_16_0": {"size": 16}, "fixed_32_0": {"size": 32}}}
    warehouse.build(strategy_variants=both)
    assert warehouse.embedded_now() == {}
    assert warehouse.value("select count(*) from int_chunks") == 4

    # A changed setting: windows of 7 tokens. The first document has 7 and stays one chunk, the
    # other has 8 and becomes two.
    warehouse.build(strategy_variants={"fixed": {"fixed_16_0": {"size": 7}}})
    assert warehouse.embedded_now() == {"passage": 2}
    assert warehouse.value("select count(distinct embedding_key) from int_chunks") == 3

    # Back again: the vectors are still there.
    warehouse.build()
    assert warehouse.embedded_now() == {}

    # A full refresh keeps them too.
    before = stored(warehouse)
    warehouse.build("--full-refresh", "--select", "+file:embeddings.sql", "+embedding_runs")
    assert warehouse.embedded_now() == {}
    assert stored(warehouse) == before == 7

    # Another model starts from nothing, a truncation of it costs nothing.
    models = [
        *warehouse.settings["embedding_models"],
        {**warehouse.settings["embedding_models"][0], "name": "other", "dimensions": 32},
        {"name": "other@16", "truncation_of": "other", "dimensions": 16},
    ]
    warehouse.build(embedding_models=models)
    assert warehouse.embedded_now() == {"passage": 2, "query": 1}
    assert warehouse.rows(
        """
        select embedding_model, count(*), min(len(embedding)), max(len(embedding))
        from embeddings
        where embedding_key in (select embedding_key from int_texts)
        group by embedding_model order by embedding_model
        """
    ) == [("hashing", 3, 64, 64), ("other", 3, 32, 32), ("other@16", 3, 16, 16)]

    # A vector of which the truncation keeps nothing is reported.
    report = ("test", "--select", "every_text_of_today_could_be_embedded")
    warehouse.dbt(*report, embedding_models=models)
    with duckdb.connect(str(warehouse.database)) as connection:
        connection.execute(
            "update embedding_store set embedding = ? where embedding_model = 'other' "
            "and text_kind = 'query'",
            [[0.0] * 16 + [1.0] + [0.0] * 15],
        )
    assert "Got 1 result" in warehouse.dbt(*report, embedding_models=models, succeeds=False)


def test_units_that_are_compared_lie_in_the_same_store(warehouse):
    """Three sentences, and two documents that stay whole; one of these is a sentence as well."""
    warehouse.settings.update(strategies=["semantic"], strategy_variants={})
    warehouse.write(both=f"{CREWS} {PUMPS}", filters=FILTERS)
    warehouse.ask(QUESTION)
    warehouse.build()
    assert warehouse.embedded_now() == {"passage": 4, "query": 1}

    warehouse.build()
    assert warehouse.embedded_now() == {}

    # One sentence is new, and the document around it.
    warehouse.write(both=f"{CREWS} A pump is replaced after ten years.")
    warehouse.build()
    assert warehouse.embedded_now() == {"passage": 2}

    # Units are in use too: the old sentence and the old document are not.
    output = warehouse.dbt("run-operation", "prune_embeddings", "--args", "{dry_run: true}")
    assert "would free 2 of 7 vectors" in output

    # With other settings than those of the build its units would count as unused.
    warehouse.dbt("run", "--select", "embedding_usage")
    output = warehouse.dbt(
        "run-operation", "prune_embeddings", succeeds=False, strategies=["fixed"]
    )
    assert "last build ran the strategy `semantic`" in output
    assert stored(warehouse) == 7


def test_a_unit_that_cannot_be_embedded_is_reported(warehouse):
    """Two sentences, which are units alone, and the document around them."""
    warehouse.settings.update(strategies=["semantic"], strategy_variants={})
    warehouse.write(both=f"{CREWS} {PUMPS}")
    warehouse.ask(QUESTION)
    warehouse.build()
    tests = ("test", "--select", "test_type:singular,tests/embeddings")
    warehouse.dbt(*tests)

    a_unit = """
        (select min(embedding_key) from int_unit_texts
        where embedding_key not in (select embedding_key from int_texts))
    """
    with duckdb.connect(str(warehouse.database)) as connection:
        connection.execute(f"delete from embedding_store where embedding_key = {a_unit}")
    output = warehouse.dbt(*tests, succeeds=False)
    assert "Failure in test every_needed_text_has_a_vector_or_a_reason" in output

    with duckdb.connect(str(warehouse.database)) as connection:
        connection.execute(
            f"""
            insert into embedding_failures by name
            select embedding_model, model_revision, text_kind, embedding_key, 'too odd' as reason
            from int_unit_texts where embedding_key = {a_unit}
            """
        )
    output = warehouse.dbt(*tests, succeeds=False)
    assert "Failure in test every_text_of_today_could_be_embedded" in output
    assert "Failure in test every_needed_text_has_a_vector_or_a_reason" not in output


def test_pruning_frees_what_nothing_uses_and_says_so(warehouse):
    warehouse.write(crews=CREWS, pumps=PUMPS)
    warehouse.ask(QUESTION)
    warehouse.build()
    (warehouse.documents / "pumps.md").unlink()
    warehouse.build()

    output = warehouse.dbt("run-operation", "prune_embeddings", "--args", "{dry_run: true}")
    # One vector of 64 float32 numbers.
    assert "would free 1 of 3 vectors, 256 bytes" in output
    assert stored(warehouse) == 3

    output = warehouse.dbt("run-operation", "prune_embeddings")
    assert "freed 1 of 3 vectors, 256 bytes" in output
    assert stored(warehouse) == 2
    assert warehouse.value("select count(*) from int_texts where embedded_at is null") == 0

    output = warehouse.dbt("run-operation", "prune_embeddings")
    assert "nothing to free: all 2 vectors are in use" in output


def test_pruning_refuses_when_no_text_is_needed(warehouse):
    warehouse.write(crews=CREWS)
    warehouse.ask(QUESTION)
    output = warehouse.dbt("run-operation", "prune_embeddings", succeeds=False)
    assert "first run dbt build." in output


def test_nothing_to_do_imports_neither_torch_nor_a_provider(warehouse):
    """A second run in a process of its own, with a model that torch encodes."""
    packaged = {
        "name": "all-MiniLM-L6-v2",
        "source": HASHING["source"],
        "dimensions": 384,
        "max_tokens": 256,
    }
    warehouse.write(crews=CREWS)
    warehouse.ask(QUESTION)
    warehouse.build(embedding_models=[packaged])
    assert warehouse.embedded_now() == {"passage": 1, "query": 1}

    selection = ("run", "--select", "+file:embeddings.sql")
    arguments = warehouse.arguments(*selection, embedding_models=[packaged])
    program = (
        "import sys; from dbt.cli.main import dbtRunner;"
        "assert dbtRunner().invoke(sys.argv[1:]).success;"
        "heavy = {'torch', 'transformers', 'sentence_transformers', 'onnxruntime', 'httpx'};"
        "print('heavy imports:', sorted(heavy & set(sys.modules)))"
    )
    output = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=warehouse.folder,
        env={**os.environ, **warehouse.environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "heavy imports: []" in output
    assert warehouse.embedded_now() == {}
