"""Documents given as elements: strict input, and access element by element."""

import json

import pytest
from small_builds import build
from support import write_lines

from chunk_bakeoff.element_rows import read_elements
from chunk_bakeoff.errors import UserError

ELEMENT = {
    "element_id": "e1",
    "doc_id": "d",
    "revision": "1",
    "acl": "public",
    "section_path": "Guide > Start",
    "kind": "paragraph",
    "text": "alpha one two three.",
}


def element(**changed):
    return {**ELEMENT, **changed}


def test_places_are_those_in_the_joined_text(tmp_path):
    rows = [element(), element(element_id="e2", text="Zwei."), element(element_id="x", doc_id="o")]
    table = read_elements(write_lines(tmp_path / "e.jsonl", rows)).to_pylist()
    assert [(row["char_start"], row["char_end"]) for row in table] == [(0, 20), (22, 27), (0, 20)]


def without(field):
    return json.dumps({key: value for key, value in ELEMENT.items() if key != field})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (without("acl"), r"line 1: fields must be exactly .*missing \['acl'\], unknown \[\]"),
        (json.dumps(element(extra="x")), r"line 1: .*unknown \['extra'\]"),
        (json.dumps(element(text=" ")), "line 1, field 'text': is empty"),
        (json.dumps(element(revision=1)), "line 1, field 'revision': text is expected, not 1"),
        (json.dumps(element(acl=["a|b"])), r"line 1, field 'acl': a text without '\|' is expected"),
        (json.dumps(element(acl=[])), "line 1, field 'acl': is empty"),
        (
            json.dumps(element(text="\ufeffx")),
            "line 1, field 'text': begins with a byte-order mark",
        ),
        (json.dumps(element(kind="table_row")), "line 1: a table_row must follow the table_header"),
        (json.dumps(element(kind="prose")), "line 1, field 'kind': 'prose'; known"),
        (json.dumps(element())[:-1] + ', "text": "b"}', "line 1: duplicate key 'text'"),
        (json.dumps(element(text=float("nan"))), "line 1: .*NaN"),
        ("[]", "line 1: a line must hold one JSON object"),
    ],
)
def test_what_is_not_exact_is_refused(tmp_path, line, message):
    file = tmp_path / "e.jsonl"
    file.write_text(line + "\n", "utf-8")
    with pytest.raises(UserError, match=message):
        read_elements(str(file))


def test_an_id_stands_once_and_a_document_has_one_revision(tmp_path):
    with pytest.raises(UserError, match=r"line 2: element_id 'e1' is taken by .*line 1"):
        read_elements(write_lines(tmp_path / "a.jsonl", [element(), element()]))
    rows = [element(), element(element_id="e2", revision="2")]
    with pytest.raises(UserError, match="line 2: revision '2' of document 'd' differs from '1'"):
        read_elements(write_lines(tmp_path / "b.jsonl", rows))


@pytest.mark.parametrize("changed", [{"acl": "board"}, {"section_path": "Guide"}])
def test_a_table_stays_in_one_section_and_one_access_list(tmp_path, changed):
    header = element(kind="table_header")
    row = element(element_id="e2", kind="table_row", **changed)
    (field,) = changed
    with pytest.raises(UserError, match=f"line 2: a table has one {field}, but its row has"):
        read_elements(write_lines(tmp_path / "e.jsonl", [header, row]))


@pytest.mark.slow
def test_a_chunk_over_two_access_lists_is_delivered_to_nobody(tmp_path):
    elements = [
        element(text="alpha one"),
        element(element_id="e2", text="alpha two"),
        element(element_id="e3", text="alpha secret", acl="board"),
        element(element_id="e4", text="alpha four"),
        element(element_id="l1", doc_id="long", text="beta b1 b2 b3 b4 b5 b6 b7"),
        element(element_id="l2", doc_id="long", text="beta c1 c2 c3 c4 c5 c6 c7", acl="board"),
        element(element_id="l3", doc_id="long", text="beta d1 d2 d3 d4 d5 d6 d7"),
    ]
    askers = {
        "q_public": ["public"],
        "q_board": ["board"],
        "q_all": ["*"],
        "q_both": ["board", "public"],
    }
    built = build(
        tmp_path,
        [],
        [
            {
                "question_id": name,
                "question": "alpha beta",
                "split": "tune",
                "groups": groups,
                "tags": [],
                "answerable": True,
                "spans": [{"element_id": "e2", "quote": "two"}],
            }
            for name, groups in askers.items()
        ],
        embedding_models=[],
        retrievers=["term_overlap", "bm25"],
        deliveries=["plain", "neighbours_1", "auto_merged"],
        strategies=["fixed", "parent_child"],
        strategy_variants={
            "fixed": {"pairs": {"size": 2}, "triples": {"size": 3}},
            "parent_child": {"children": {"child_size": 8, "auto_merge": True}},
        },
        elements_path=write_lines(tmp_path / "elements.jsonl", elements),
        documents_path=None,
    )
    delivered = built.rows("""
        select distinct
            question_id, strategy, delivery,
            substring(text, context_start + 1, context_end - context_start) as context
        from fct_retrievals
        inner join stg_documents using (doc_id)
        where doc_id = 'd' and delivery <> 'auto_merged' and strategy <> 'children'
        order by all
    """)
    # Triples are: alpha one alpha | two alpha secret | alpha four.
    public, board = "alpha one\n\nalpha two", "alpha secret"
    assert {row[1:] for row in delivered if row[0] == "q_public"} == {
        ("pairs", "neighbours_1", public),
        ("pairs", "neighbours_1", "alpha four"),
        ("pairs", "plain", "alpha four"),
        ("pairs", "plain", "alpha one"),
        ("pairs", "plain", "alpha two"),
        ("triples", "neighbours_1", "alpha four"),
        ("triples", "neighbours_1", "alpha one\n\nalpha"),
        ("triples", "plain", "alpha four"),
        ("triples", "plain", "alpha one\n\nalpha"),
    }
    assert [row[1:] for row in delivered if row[0] == "q_board"] == [
        ("pairs", "neighbours_1", board),
        ("pairs", "plain", board),
    ]
    for asker in ("q_all", "q_both"):
        contexts = {row[3] for row in delivered if row[:3] == (asker, "triples", "plain")}
        assert contexts == {"alpha four", "alpha one\n\nalpha"}
    # A parent is sent in place of its children to those alone who may see all of it.
    parents = built.rows("""
        select question_id, max(context_end - context_start) from fct_retrievals
        where doc_id = 'long' and delivery = 'auto_merged' and strategy = 'children'
        group by question_id
        order by question_id
    """)
    one, whole = len("beta b1 b2 b3 b4 b5 b6 b7"), len("beta b1 b2 b3 b4 b5 b6 b7") * 3 + 4
    assert parents == [("q_all", whole), ("q_board", one), ("q_both", whole), ("q_public", one)]
