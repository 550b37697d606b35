"""The units of semantic strategies in the dbt project, with a provider that needs no weights."""

import json

import duckdb
import pytest
from support import TOKENIZER

from chunk_bakeoff.project import run_dbt

DOCUMENTS = [
    {"doc_id": "river", "text": "# Rivers\n\nOne flows. Two stand.\n\n- a\n- b\n"},
    # The same sentence as in the other document is embedded once.
    {"doc_id": "lake", "text": "Two stand. Three wait."},
]
ENABLED = ["semantic", "cluster_semantic"]


def rows(database, query):
    with duckdb.connect(str(database), read_only=True) as connection:
        return connection.execute(query).fetchall()


@pytest.mark.slow
def test_units_are_embedded_once_and_only_new_ones_later(tmp_path, hashing_model):
    database = tmp_path / "units.duckdb"
    given = tmp_path / "documents.jsonl"
    variables = {
        "documents_path": str(given),
        "strategies": ENABLED,
        "baseline_strategy": "semantic_p95",
        "embedding_models": [{**hashing_model, "source": TOKENIZER}],
    }

    def build(documents):
        lines = [json.dumps({**row, "media_type": "text/markdown"}) for row in documents]
        given.write_text("\n".join(lines), "utf-8")
        selected = ["--select", *(f"+{name}" for name in ENABLED)]
        run_dbt(["run", *selected], database=database, variables=variables)
        return rows(database, "select texts_embedded from int_unit_embedding_run")

    # Rivers, One flows., Two stand., - a, - b, Three wait.
    assert build(DOCUMENTS) == [(6,)]
    units = rows(database, "select text from int_units order by doc_id desc, unit_index")
    assert [text for (text,) in units] == [
        "# Rivers", "One flows.", "Two stand.", "- a", "- b", "Two stand.", "Three wait.",
    ]  # fmt: skip
    starts = "select doc_id, unit_starts from int_documents_with_units order by doc_id"
    assert rows(database, starts) == [("lake", [0, 11]), ("river", [0, 10, 21, 33, 37])]
    vectors = """
        select list_transform(unit_vectors, lambda v: round(list_inner_product(v, v), 5))
        from int_documents_with_units where doc_id = 'lake'
    """
    assert rows(database, vectors) == [([1.0, 1.0],)]
    # Nothing is new, although a document has moved on.
    assert build([DOCUMENTS[0], {"doc_id": "lake", "text": "Three wait. Two stand."}]) == [(0,)]
    assert rows(database, "select count(*) from unit_embeddings") == [(6,)]
