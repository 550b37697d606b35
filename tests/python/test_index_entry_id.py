"""The identity of an index entry: what changes it and what does not."""

import pytest
from small_builds import build

QUESTIONS = [
    {"question_id": "q1", "question": "alpha", "doc_id": "access", "quote": "alpha in two"},
]


def table(column):
    """Six rows under a header, cut into groups of rows that carry it."""
    rows = "".join(f"| alpha{n} alpha | {n} |\n" for n in range(6))
    return {"doc_id": "header", "text": f"| Name | {column} |\n|---|---|\n{rows}"}


BEFORE = [
    table("Port"),
    {"doc_id": "path", "text": "# Old title\n\n## Part\n\nalpha body of text\n"},
    {"doc_id": "access", "acl": "public|staff", "text": "# Title\n\nalpha in two groups\n"},
    {"doc_id": "insertion", "text": "# First\n\nalpha words\n\n# Second\n\nalpha words, more\n"},
]
AFTER = [
    table("Number"),
    {"doc_id": "path", "text": "# New title\n\n## Part\n\nalpha body of text\n"},
    {"doc_id": "access", "acl": "public", "text": "# Title\n\nalpha in two groups\n"},
    {
        "doc_id": "insertion",
        "text": "# New\n\nunrelated alpha\n\n# First\n\nalpha words\n\n"
        "# Second\n\nalpha words, more\n",
    },
]


def entries(folder, documents, **settings):
    built = build(
        folder,
        documents,
        QUESTIONS,
        embedding_models=[],
        retrievers=["bm25"],
        strategies=["small_to_big", "tables"],
        strategy_variants={
            "small_to_big": {"children": {"child_size": 64}},
            "tables": {"rows": {"size": 8}},
        },
        **settings,
    )
    rows = built.rows("""
        select chunks.doc_id, chunks.body, retrievals.chunk_id, retrievals.index_entry_id
        from fct_retrievals as retrievals
        inner join int_chunks as chunks
            on retrievals.strategy = chunks.strategy and retrievals.chunk_id = chunks.chunk_id
        where (chunks.strategy = 'rows') = (chunks.doc_id = 'header')
    """)
    return {(doc_id, body): (chunk_id, entry) for doc_id, body, chunk_id, entry in rows}


@pytest.fixture(scope="module")
def before(tmp_path_factory):
    return entries(tmp_path_factory.mktemp("before"), BEFORE)


@pytest.fixture(scope="module")
def after(tmp_path_factory):
    return entries(tmp_path_factory.mktemp("after"), AFTER)


def only(found, doc_id, ending):
    (value,) = [v for (doc, body), v in found.items() if doc == doc_id and body.endswith(ending)]
    return value


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changed", "ending"), [("access", "groups"), ("path", "of text"), ("header", "| 5 |")]
)
def test_a_changed_access_list_heading_path_or_header_changes_the_entry_of_the_same_chunk(
    before, after, changed, ending
):
    old, new = only(before, changed, ending), only(after, changed, ending)
    assert old[0] == new[0]
    assert old[1] != new[1]


@pytest.mark.slow
def test_an_insertion_earlier_in_the_document_changes_nothing(before, after):
    for ending in ("alpha words", "more"):
        assert only(before, "insertion", ending) == only(after, "insertion", ending)


@pytest.mark.slow
def test_another_index_revision_changes_every_entry(before, tmp_path_factory):
    changed = entries(tmp_path_factory.mktemp("k1"), BEFORE, bm25={"k1": 0.9, "b": 0.75})
    assert changed.keys() == before.keys()
    for key, (chunk_id, entry) in before.items():
        assert changed[key][0] == chunk_id
        assert changed[key][1] != entry
