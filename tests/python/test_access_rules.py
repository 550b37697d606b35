"""Who sees what: groups, inheritance, deny rules and tenants."""

import pytest
from small_builds import build

DOCUMENTS = [
    {"doc_id": "public", "acl": "public", "text": "alpha one"},
    {"doc_id": "people", "acl": "people_ops", "text": "alpha two"},
    {"doc_id": "denied", "acl": "public", "acl_deny": "contractors", "text": "alpha three"},
    {"doc_id": "elsewhere", "acl": "public", "tenant": "other", "text": "alpha four"},
]
EXPECTED = {
    "nobody": ({}, ["denied", "public"]),
    # managers are in people_ops, who are in public: the seed group_members.
    "manager": ({"groups": "managers"}, ["denied", "people", "public"]),
    "contractor": ({"groups": "contractors|public"}, ["public"]),
    "stranger": ({"groups": "unknown"}, []),
    "everything": ({"groups": "*"}, ["denied", "people", "public"]),
    "other_tenant": ({"groups": "*", "tenant": "other"}, ["elsewhere"]),
    "unknown_tenant": ({"groups": "public", "tenant": "third"}, []),
}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    questions = [
        {"question_id": name, "question": "alpha", **asker, "doc_id": "people", "quote": "two"}
        for name, (asker, _) in EXPECTED.items()
    ]
    return build(
        tmp_path_factory.mktemp("rules"),
        DOCUMENTS,
        questions,
        select="+fct_retrievals +int_question_labels",
        embedding_models=[],
        retrievers=["term_overlap"],
        strategies=["fixed"],
        group_members_relation="chunk_bakeoff.group_members",
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPECTED)
def test_an_asker_sees(built, name):
    found = built.rows(
        f"select distinct doc_id from fct_retrievals where question_id = '{name}' order by doc_id"
    )
    assert [doc_id for (doc_id,) in found] == EXPECTED[name][1]


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPECTED)
def test_questions_whose_evidence_is_hidden_are_blocked(built, name):
    standing = "scored" if "people" in EXPECTED[name][1] else "access_blocked"
    found = built.rows(f"select standing from int_question_labels where question_id = '{name}'")
    assert found == [(standing,)]
