"""The SQL macros that must agree with a Python function, run by DuckDB."""

from functools import cache
from types import SimpleNamespace

import duckdb
import jinja2
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_texts import texts
from support import REPO

from chunk_bakeoff.documents import CLEANING_STEPS, canonical_text
from chunk_bakeoff.text import is_blank


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as connection:
        yield connection


@cache
def macro_file(name):
    source = (REPO / "macros" / "engine" / f"{name}.sql").read_text("utf-8")
    others = SimpleNamespace(
        white_space_class=lambda negated=False: render("white_space_class", negated),
        cleaned_list=lambda expression: render("cleaned_list", expression, file="lists"),
    )
    known = {"chunk_bakeoff": others, "dbt": SimpleNamespace(type_string=lambda: "varchar")}
    return jinja2.Environment().from_string(source, known).module


def render(name, *arguments, file=None):
    """The default implementation of a macro in macros/engine, rendered without dbt."""
    return str(getattr(macro_file(file or name), f"default__{name}")(*arguments)).strip()


def test_white_space_is_the_same_set(connection):
    characters = [chr(code) for code in range(1, 0x110000) if not 0xD800 <= code <= 0xDFFF]
    table = pa.table({"character": characters})
    query = f"""
        select list(character)
        from table_of_characters
        where regexp_matches(character, '{render("white_space_class", False)}')
    """
    connection.register("table_of_characters", table)
    (white,) = connection.execute(query).fetchone()
    assert sorted(white) == [character for character in characters if is_blank(character)]


@pytest.mark.parametrize("text", ["", " \xa0\u2028\n", "\x1c", " x ", "\u200b"])
def test_is_blank(connection, text):
    query = f"select {render('is_blank', '?::varchar')}"
    assert connection.execute(query, [text]).fetchone() == (is_blank(text),)


@given(text=texts(longest=8), data=st.data())
def test_slices_count_code_points(connection, text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    query = f"select {render('slice_text', '?::varchar', start, end)}"
    assert connection.execute(query, [text]).fetchone() == (text[start:end],)


RAW = st.lists(
    st.sampled_from(["[a]: x", "[a b]:", "[", "]:", "\n", "\r\n", "\r", "\ufeff", "é", "🚀", " "])
).map("".join)


@given(raw=RAW, steps=st.lists(st.sampled_from(sorted(CLEANING_STEPS)), max_size=3))
def test_canonical_text(connection, raw, steps):
    query = f"select {render('clean_text', '?::varchar', steps)}"
    assert connection.execute(query, [raw]).fetchone() == (canonical_text(raw, steps),)


@pytest.mark.parametrize(
    ("expression", "items"),
    [
        ("'b| a ||b'", ["a", "b"]),
        ("''", []),
        ("cast(null as varchar)", []),
    ],
)
def test_a_text_as_a_list(connection, expression, items):
    query = f"select {render('list_of', expression, file='lists')}"
    assert connection.execute(query).fetchone() == (items,)


@pytest.mark.parametrize(
    ("expression", "items"),
    [
        ("['b', ' a ', '', null, 'b', 'x|y, z']", ["a", "b", "x|y, z"]),
        ("[10, 9]", ["10", "9"]),
        ("[]", []),
        ("cast(null as varchar[])", []),
    ],
)
def test_a_list_as_a_list(connection, expression, items):
    query = f"select {render('cleaned_list', expression, file='lists')}"
    assert connection.execute(query).fetchone() == (items,)
