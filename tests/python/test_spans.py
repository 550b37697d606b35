import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_texts import is_white, texts

from chunk_bakeoff.spans import Resolution, resolve

ROOMS = "Room A is on floor two.\nRoom B is on floor three. Room A is closed on Monday."


def test_an_exact_quote():
    assert resolve(ROOMS, "floor three") == Resolution("ok", (37, 48), (37,))
    assert resolve("Prix — “réduit” — 12,50 € par jour", "12,50 €").span == (18, 25)
    assert resolve("Ship 🚀🚀 left at 06:40", "06:40").span == (16, 21)


def test_a_repeated_quote_is_ambiguous_until_one_is_named():
    assert resolve(ROOMS, "Room A") == Resolution("ambiguous", occurrences=(0, 50))
    assert resolve(ROOMS, "Room A", occurrence=2).span == (50, 56)
    assert resolve(ROOMS, "Room A", char_start=50).span == (50, 56)
    for wrong in ({"occurrence": 0}, {"occurrence": 3}, {"char_start": 49}):
        assert resolve(ROOMS, "Room A", **wrong).status == "ambiguous"


def test_occurrences_may_overlap():
    assert resolve("aaa", "aa").occurrences == (0, 1)
    assert resolve("aaa", "aa", occurrence=2).span == (1, 3)


@pytest.mark.parametrize("quote", ["", " ", "\n\xa0"])
def test_an_empty_quote_matches_nothing(quote):
    assert resolve(ROOMS, quote) == Resolution("invalid_empty")
    assert resolve(None, quote) == Resolution("invalid_empty")


def test_unknown_document():
    assert resolve(None, "text") == Resolution("unknown_document")


def test_not_found_names_the_nearest_passage():
    found = resolve(ROOMS, "Room C is on floor two.")
    # Only the letter of the room differs.
    assert (found.status, found.span) == ("not_found", None)
    assert (found.nearest, found.distance) == ((0, 23), 1)
    assert resolve("", "text") == Resolution("not_found")


def test_a_quote_longer_than_its_document():
    found = resolve("floor two", "Room A is on floor two.")
    assert found.status == "not_found"
    assert (found.nearest, found.distance) == ((0, 9), 14)


@pytest.mark.parametrize(
    ("text", "quote", "span"),
    [
        (ROOMS, "Room A is on floor two. Room B is on floor three.", (0, 49)),
        ("Size:\t10\xa0kB\n", "10 kB", (6, 11)),
        ("fee\r\nand more", "fee\nand", (0, 8)),
        ("(a+b)  c", "(a+b) c", (0, 8)),
        ("one two", " one", (0, 3)),
    ],
)
def test_a_difference_in_white_space_alone_is_named(text, quote, span):
    assert resolve(text, quote) == Resolution("whitespace_mismatch", span)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Le cafe\u0301 ferme a\u0300 minuit, la cre\u0302perie", "caf\u00e9 ferme \u00e0 minuit"),
        ("Le caf\u00e9 ferme", "cafe\u0301"),
        # Two marks in another order.
        ("x a\u0323\u0301 y", "a\u0301\u0323"),
        # Syllables that are spelled out in jamo have no combining class.
        (unicodedata.normalize("NFD", "제목: 한국어 문서 각각"), "한국어 문서"),
        ("제목: 한국어 문서", unicodedata.normalize("NFD", "한국어")),
        # A character whose normal form is another character.
        ("5 \u212b wide", "5 \u00c5"),
    ],
)
def test_another_normal_form_is_named_with_the_source_range(text, quote):
    found = resolve(text, quote)
    assert (found.status, found.occurrences) == ("nfc_mismatch", ())
    start, end = found.span
    assert unicodedata.normalize("NFC", text[start:end]) == unicodedata.normalize("NFC", quote)


def test_the_range_of_a_normal_form_by_hand():
    text = "Le cafe\u0301 ferme a\u0300 minuit, la cre\u0302perie"
    assert resolve(text, "caf\u00e9 ferme \u00e0 minuit").span == (3, 24)


def test_an_accent_is_more_than_a_normal_form():
    assert resolve("Le cafe\u0301 ferme", "cafe ferme").status == "not_found"


SECTIONS = "# 1. Leave\n\n30 days.\n\n## 1.1 Notice\n\n30 days.\n\n# 2) Pay\n\n30 days.\n"


@pytest.mark.parametrize(
    ("section", "start"), [("Notice", 37), ("1.1 Notice", 37), ("Pay", 57), ("2. Pay", 57)]
)
def test_a_section_says_which_occurrence_is_meant(section, start):
    assert SECTIONS[start:].startswith("30 days.")
    assert resolve(SECTIONS, "30 days.", section=section).span == (start, start + 8)


def test_a_section_holds_the_sections_below_it():
    found = resolve(SECTIONS, "30 days.", section="Leave")
    assert found == Resolution("ambiguous", occurrences=(12, 37))
    assert resolve(SECTIONS, "Notice", section="Pay").status == "not_found"


@pytest.mark.parametrize("section", ["Holiday", "leave", ""])
def test_a_section_that_is_not_there(section):
    assert resolve(SECTIONS, "30 days.", section=section) == Resolution("unknown_section")


def test_a_heading_that_stands_twice_names_no_section():
    assert resolve("# A\nx\n# A\nx\n", "x", section="A").status == "unknown_section"


@given(text=texts(), data=st.data())
def test_every_slice_is_found_where_it_was_cut(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    quote = text[start:end]
    found = resolve(text, quote)
    if all(is_white(character) for character in quote):
        assert found.status == "invalid_empty"
        return
    assert start in found.occurrences
    assert all(text.startswith(quote, position) for position in found.occurrences)
    assert (found.status == "ok") == (len(found.occurrences) == 1)
    assert resolve(text, quote, char_start=start).span == (start, end)


@given(text=texts(longest=12), quote=texts(longest=4))
def test_any_quote_gets_a_status_and_ranges_inside_the_text(text, quote):
    found = resolve(text, quote)
    for span in (found.span, found.nearest):
        assert span is None or 0 <= span.start < span.end <= len(text)
