"""Evidence as a quote from one element: strict input, and the place in the document."""

import json

import pytest
from support import write_lines

from chunk_bakeoff.element_questions import read_element_questions
from chunk_bakeoff.element_rows import read_elements
from chunk_bakeoff.errors import UserError

ELEMENTS = [
    {"element_id": "e1", "text": "Kept for 35 days, then 7 more."},
    {"element_id": "e2", "text": "data database, dada"},
]
QUESTION = {
    "question_id": "q1",
    "question": "How long?",
    "split": "tune",
    "groups": ["public"],
    "tags": [],
    "answerable": True,
    "spans": [{"element_id": "e2", "quote": "database"}],
}


@pytest.fixture(scope="module")
def elements(tmp_path_factory):
    rest = {"doc_id": "d", "revision": "1", "acl": "public", "section_path": "", "kind": "code"}
    rows = [{**rest, **element} for element in ELEMENTS]
    return read_elements(write_lines(tmp_path_factory.mktemp("e") / "e.jsonl", rows))


def question(**changed):
    return json.dumps({**QUESTION, **changed})


def quoting(quote, element_id="e1"):
    return question(spans=[{"element_id": element_id, "quote": quote}])


def without(field):
    return json.dumps({key: value for key, value in QUESTION.items() if key != field})


def read(folder, elements, *lines):
    file = folder / "q.jsonl"
    file.write_text("\n".join(lines) + "\n", "utf-8")
    return read_element_questions(str(file), elements).to_pylist()


def test_the_place_of_a_quote_is_that_in_the_joined_document(tmp_path, elements):
    spans = [
        {"element_id": "e1", "quote": "35 days, then"},
        {"element_id": "e2", "quote": "database"},
    ]
    rows = read(tmp_path, elements, question(spans=spans, groups=["staff", "public"]))
    # "Kept for " is 9 characters; e1 is 30, then the blank line, then "data ".
    assert [(row["doc_id"], row["char_start"], row["span_index"]) for row in rows] == [
        ("d", 9, 1),
        ("d", 37, 2),
    ]
    assert {row["groups"] for row in rows} == {"staff|public"}


def test_a_question_without_an_answer_has_one_row_without_evidence(tmp_path, elements):
    (row,) = read(tmp_path, elements, question(answerable=False, spans=[]))
    assert (row["answerable"], row["span_index"], row["quote"]) == ("false", None, None)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (without("split"), r"line 1: fields must be exactly .*missing \['split'\], unknown \[\]"),
        (question(more=1), r"line 1: .*unknown \['more'\]"),
        (question(question=" "), "line 1, field 'question': text is expected, not ' '"),
        (question(split="test"), "line 1, field 'split': 'test'; known: tune, holdout"),
        (question(answerable="true"), "line 1, field 'answerable': true or false, not 'true'"),
        (question(groups="public"), "line 1, field 'groups': a list is expected, not 'public'"),
        (question(groups=["a|b"]), r"line 1, field 'groups': a text without '\|' .*not 'a\|b'"),
        (question(spans=[]), "line 1: a question with an answer needs evidence"),
        (question(answerable=False), "line 1: .*one without has none"),
        (question(spans=["x"]), "line 1, span 1: an object is expected, not 'x'"),
        (
            question(spans=[{"element_id": "e1", "quote": "days", "occurrence": 1}]),
            r"line 1, span 1: fields must be exactly element_id, quote; .*unknown \['occurrence'\]",
        ),
        (quoting("days", "e9"), "line 1, span 1: there is no element 'e9'"),
        (quoting("40 days"), "line 1, span 1: the quote '40 days' occurs 0 times in element 'e1'"),
        (quoting("data", "e2"), "the quote 'data' occurs 2 times in element 'e2'"),
        (quoting("da", "e2"), "the quote 'da' occurs 4 times"),
        (quoting("5 days"), "the quote '5 days' begins inside the unit '35'"),
        (quoting("35 day"), "the quote '35 day' ends inside the unit 'days'"),
        (question()[:-1] + ', "split": "tune"}', "line 1: duplicate key 'split'"),
        (question().replace("true", "NaN"), "line 1: NaN is no JSON value"),
        (question().replace("true", "-Infinity"), "line 1: -Infinity is no JSON value"),
    ],
)
def test_what_is_not_exact_is_refused(tmp_path, elements, line, message):
    with pytest.raises(UserError, match=rf"q\.jsonl, .*{message}|q\.jsonl, {message}"):
        read(tmp_path, elements, line)


def test_an_id_stands_once(tmp_path, elements):
    with pytest.raises(UserError, match=r"line 2: question_id 'q1' is taken by .*line 1"):
        read(tmp_path, elements, question(), question(question="Again?"))
