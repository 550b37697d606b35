"""Lexical units: worked examples, and the same list from Python and from SQL."""

import unicodedata

import duckdb
import jinja2
import pyarrow as pa
import pytest
from hypothesis import given
from random_texts import texts
from support import REPO

from chunk_bakeoff.chunk import Sizing
from chunk_bakeoff.documents import Document
from chunk_bakeoff.embedding.declared import LEXICAL_UNITS, declared_models, find_model
from chunk_bakeoff.lexical import LexicalTokenizer, lexical_units
from chunk_bakeoff.strategies import fixed
from chunk_bakeoff.tokens import load_tokenizer


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as connection:
        yield connection


def units_in_sql(expression):
    source = (REPO / "macros" / "engine" / "lexical_units.sql").read_text("utf-8")
    return (
        jinja2.Environment().from_string(source).module.default__lexical_units(expression).strip()
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n-- !?", []),
        ("Keep logs for 30 days.", ["keep", "logs", "for", "30", "days"]),
        ("It costs 1,000.50 EUR, not 7.", ["it", "costs", "1,000.50", "eur", "not", "7"]),
        ("max_tokens=v2", ["max", "tokens", "v2"]),
        ("don't", ["don", "t"]),
        ("日本語 テスト", ["日", "本", "語", "テ", "ス", "ト"]),
        ("Cafe\u0301 CAFÉ", ["café", "café"]),
        ("नमस्ते", ["नमस्ते"]),
        ("ΟΔΟΣ οδός", ["οδοσ", "οδός"]),
    ],
)
def test_units(connection, text, expected):
    assert lexical_units(text) == expected
    query = f"select {units_in_sql('?::varchar')}"
    assert connection.execute(query, [text]).fetchall() == [(expected,)]


def test_every_assigned_character_is_the_same_in_sql(connection):
    points = [code for code in range(1, 0x110000) if not 0xD800 <= code <= 0xDFFF]
    # Later versions of Unicode assign more; the two engines follow at their own pace.
    known = [chr(code) for code in points if unicodedata.category(chr(code)) != "Cn"]
    table = pa.table({"text": [f"x{character}1" for character in known]})
    connection.register("known_characters", table)
    found = connection.execute(f"select text, {units_in_sql('text')} from known_characters")
    different = [text for text, units in found.fetchall() if units != lexical_units(text)]
    assert len(known) > 140_000
    assert different == []


@given(text=texts())
def test_random_texts_are_the_same_in_sql(connection, text):
    query = f"select {units_in_sql('?::varchar')}"
    assert connection.execute(query, [text]).fetchall() == [(lexical_units(text),)]


@given(text=texts())
def test_counts_and_offsets_are_those_of_the_units(text):
    tokenizer = LexicalTokenizer()
    assert tokenizer.count([text])[0].tokens == len(lexical_units(text))
    slices = [text[start:end] for start, end in tokenizer.offsets(text)]
    assert [unit for piece in slices for unit in lexical_units(piece)] == lexical_units(text)
    assert tokenizer.counter(text)([0, len(text)]) == [len(lexical_units(text))]


def test_no_declared_model_means_lexical_units():
    assert declared_models([]) == [LEXICAL_UNITS]
    assert find_model([], None) is LEXICAL_UNITS
    assert isinstance(load_tokenizer(LEXICAL_UNITS.source), LexicalTokenizer)


def test_windows_are_cut_in_units():
    text = "One, two, three. Four five!"
    sizing = Sizing(LexicalTokenizer(), 256)
    chunks = fixed.cut(Document(text), sizing=sizing, size=2, overlap=0)
    assert [text[chunk.start : chunk.end] for chunk in chunks] == [
        "One, two,",
        "three. Four",
        "five!",
    ]
