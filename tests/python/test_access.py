"""Access before scoring: what an asker may not see leaves no trace, under any retriever."""

import duckdb
import pytest
from small_builds import build

RETRIEVERS = [
    *("dense", "dense_two_step", "term_overlap", "bm25"),
    *("hybrid_rrf", "hybrid_weighted", "lexical_rrf", "bm25_reranked"),
]
DELIVERIES = ["plain", "merged", "neighbours_1", "auto_merged"]
QUESTIONS = {
    "q_public": {"question": "How long are backups of the ledger kept?"},
    "q_staff": {"question": "Who approves a refund above 500 euros?", "groups": "staff"},
    "q_board": {"question": "How long are backups of the ledger kept?", "groups": "board"},
}
ALL_TERMS = " ".join(question["question"] for question in QUESTIONS.values())
DOCUMENTS = [
    {
        "doc_id": "handbook",
        "acl": "public",
        "text": "# Handbook\n\n## Backups\n\nBackups are kept for 35 days.\n\nThe ledger is copied "
        "every night.\n\n## Refunds\n\nRefunds take ten days.\n\n## Contact\n\nAsk the desk.\n",
    },
    {
        "doc_id": "staff_notes",
        "acl": "staff",
        "text": "# Notes\n\nThe support lead approves a refund above 500 euros.\n\nOthers wait.\n",
    },
]
CANARY = {
    "doc_id": "canary",
    "acl": "board",
    "text": f"# {ALL_TERMS}\n\n## {ALL_TERMS}\n\n{ALL_TERMS}\n\n{ALL_TERMS} Canary.\n",
}
# Every table with rows per question that scoring or ranking fills.
TABLES = [
    *("int_scores_dense", "int_scores_dense_two_step", "int_scores_term_overlap"),
    *("int_scores_bm25", "int_scores_fused"),
    *("int_part_rankings", "int_rerank_pairs", "int_scores_reranked", "int_rankings"),
    *("int_expanded_contexts", "int_merged_contexts", "int_shaped_contexts", "fct_retrievals"),
]


def evidence(question_id, question):
    return {"question_id": question_id, **question, "doc_id": "handbook", "quote": "ten days"}


@pytest.fixture(scope="module")
def built(tmp_path_factory, hashing_model):
    """The same corpus with and without the canary."""
    variables = {
        "embedding_models": [hashing_model],
        "retrievers": RETRIEVERS,
        "two_step": {"dimensions": 16, "shortlist": 100},
        "rerankers": {
            "bm25_reranked": {"of": "bm25", "top_n": 5, "provider": "overlap", "model": "none"}
        },
        "deliveries": DELIVERIES,
        "strategies": [
            *("fixed", "structure", "small_to_big", "parent_child_chars", "sentence_window"),
            "parent_child",
        ],
        "strategy_variants": {
            "fixed": {"fixed_12_4": {"size": 12, "overlap": 4}},
            "parent_child": {"children_12": {"child_size": 12, "auto_merge": True}},
            "parent_child_chars": {"parent_child_40": {"child_size": 40, "child_overlap": 10}},
        },
    }
    folder = tmp_path_factory.mktemp("access")
    questions = [evidence(key, question) for key, question in QUESTIONS.items()]
    return (
        build(folder / "without", DOCUMENTS, questions, **variables),
        build(folder / "with", [*DOCUMENTS, CANARY], questions, **variables),
    )


def traces(built, table):
    """Rows of askers outside the group that the canary changed, added or took away."""
    without, with_canary = (side.table(table, "question_id <> 'q_board'") for side in built)
    return [row for row in with_canary if row not in without] + [
        row for row in without if row not in with_canary
    ]


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_the_canary_leaves_no_trace(built, table):
    assert built[0].table(table, "question_id <> 'q_board'")
    assert traces(built, table) == []


@pytest.mark.slow
def test_its_own_group_finds_the_canary_with_every_configuration(built):
    found = built[1].rows("""
        select count(distinct config_id)
        from fct_retrievals
        where question_id = 'q_board' and doc_id = 'canary' and rank = 1
    """)
    assert found == built[1].rows("select count(*) from int_configurations")


@pytest.mark.slow
def test_an_asker_without_groups_sees_only_public(built):
    documents = built[1].rows(
        "select distinct doc_id from fct_retrievals where question_id = 'q_public'"
    )
    assert documents == [("handbook",)]


@pytest.mark.slow
def test_a_group_sees_what_its_documents_hold_and_no_more(built):
    documents = built[1].rows(
        "select distinct doc_id from fct_retrievals where question_id = 'q_staff'"
    )
    assert documents == [("staff_notes",)]


# What goes wrong when the rule is left out of one place: the model, a fragment of its SQL, and
# what stands there instead.
MUTATIONS = {
    "lexical index": (
        "int_audience_chunks",
        "on chunks.access_key = audiences.access_key",
        "on true",
    ),
    "dense": (
        "int_scores_dense",
        "list_contains(askers.audience_numbers, units.audience_number)",
        "true",
    ),
    "groups": (
        "int_question_visibility",
        "list_has_any(askers.groups, access_lists.acl)",
        "true",
    ),
}
DOWNSTREAM = {
    "int_audience_chunks": ["int_scores_bm25", "int_scores_term_overlap"],
    "int_scores_dense": [],
    "int_question_visibility": [
        *("int_audiences", "int_question_units", "int_audience_chunks"),
        *("int_scores_bm25", "int_scores_term_overlap", "int_scores_dense"),
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTATIONS)
def test_the_proof_fails_when_a_filter_is_left_out(built, name, tmp_path):
    model, fragment, replacement = MUTATIONS[name]
    sql = built[1].sql_of(model)
    assert fragment in sql
    database = tmp_path / "mutated.duckdb"
    database.write_bytes(built[1].database.read_bytes())
    with duckdb.connect(str(database)) as connection:
        # The compiled SQL names the database that it was compiled for.
        connection.execute(f"attach '{tmp_path / 'other.duckdb'}' as unused")
        statements = {model: sql.replace(fragment, replacement)}
        statements |= {name: built[1].sql_of(name) for name in DOWNSTREAM[model]}
        for table, statement in statements.items():
            statement = statement.replace('"small"', '"mutated"')
            connection.execute(f"create or replace table {table} as {statement}")
        scores = "int_scores_dense" if model == "int_scores_dense" else "int_scores_bm25"
        leaked = connection.execute(f"""
            select count(*)
            from {scores} as scores
            inner join int_chunks as chunks
                on scores.strategy = chunks.strategy and scores.chunk_id = chunks.chunk_id
            where scores.question_id <> 'q_board' and chunks.doc_id = 'canary'
        """).fetchone()[0]
    assert leaked > 0
