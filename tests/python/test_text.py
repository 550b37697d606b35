import pytest
from hypothesis import given
from random_texts import is_white, texts

from chunk_bakeoff.text import WHITE_SPACE, is_blank, strip_span


def test_white_space_is_the_unicode_property():
    """Python's `str.isspace` is the property and the four information separators."""
    everything = (chr(code) for code in range(0x110000))
    assert sorted(WHITE_SPACE) == [character for character in everything if is_white(character)]
    assert len(WHITE_SPACE) == 25


@pytest.mark.parametrize("text", ["", " ", "\t\r\n", "\x85\xa0\u2028\u3000"])
def test_blank(text):
    assert is_blank(text)


@pytest.mark.parametrize("text", ["x", " x ", "\x1c", "\u200b", "\ufeff"])
def test_not_blank(text):
    assert not is_blank(text)


@pytest.mark.parametrize(
    ("text", "start", "end", "expected"),
    [
        ("  ab ", 0, 5, (2, 4)),
        ("  ab ", 3, 5, (3, 4)),
        ("ab", 0, 2, (0, 2)),
        ("\xa0a b\u3000", 0, 5, (1, 4)),
        ("\x1ca", 0, 2, (0, 2)),
        ("a   b", 1, 4, (4, 4)),
        ("", 0, 0, (0, 0)),
    ],
)
def test_strip_span(text, start, end, expected):
    assert strip_span(text, start, end) == expected


@given(text=texts())
def test_strip_span_agrees_with_strip(text):
    start, end = strip_span(text, 0, len(text))
    assert text[start:end] == text.strip(WHITE_SPACE)
