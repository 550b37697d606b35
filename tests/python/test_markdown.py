"""Headings as CommonMark 0.31 defines them; the numbers are its sections."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_texts import texts

from chunk_bakeoff.markdown import headings, line_starts, sections


def found(text):
    return [(heading.level, heading.title, heading.start) for heading in headings(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # 4.2 ATX headings
        ("# a\n## b\n###### c", [(1, "a", 0), (2, "b", 4), (6, "c", 9)]),
        ("####### seven", []),
        ("#hashtag", []),
        ("# a ##", [(1, "a", 0)]),
        ("# a#", [(1, "a#", 0)]),
        ("   # three", [(1, "three", 0)]),
        ("text\n    # four", []),
        ("\\# escaped", []),
        ("#", [(1, "", 0)]),
        ("#\ttab", [(1, "tab", 0)]),
        # 4.3 Setext headings
        ("Title\n===\n\nSub\n---\n", [(1, "Title", 0), (2, "Sub", 11)]),
        ("Two\n  lines\n===", [(1, "Two lines", 0)]),
        ("\n---\n", []),
        ("- item\n---\n", []),
        # 4.4 and 4.5 Code
        ("```\n# no\n```\n# yes", [(1, "yes", 13)]),
        ("~~~\n# no\n```\n# no\n~~~\n", []),
        ("```\n# never closed", []),
        ("para\n\n    # code\n", []),
        # 4.6 HTML blocks
        ("<!--\n# no\n\n# no\n-->\n# yes", [(1, "yes", 20)]),
        ("<div>\n# no\n\n# yes\n</div>", [(1, "yes", 12)]),
        # 5.1 and 5.2 Containers
        ("> # quoted\n\n- # in a list\n\n1. # too\n", []),
        ("- item\n\n# after", [(1, "after", 8)]),
        # Tables (an extension): the delimiter row is no setext underline.
        ("| a |\n|---|\n| # |\n", []),
        ("", []),
    ],
)
def test_headings(text, expected):
    assert found(text) == expected


def test_titles_are_raw_source():
    assert found('# The `key` *of* [it](x "y") &amp; 10\xa0kB  \n') == [
        (1, 'The `key` *of* [it](x "y") &amp; 10\xa0kB', 0)
    ]
    assert found("# a  b\n") == [(1, "a  b", 0)]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_endings(newline):
    text = newline.join(["# One", "", "text", "# Two", ""])
    second = len(newline.join(["# One", "", "text", ""]))
    assert found(text) == [(1, "One", 0), (1, "Two", second)]


@pytest.mark.parametrize("character", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028"])
def test_other_breaks_do_not_end_a_line(character):
    text = f"a{character}b\n# One"
    assert found(text) == [(1, "One", 4)]


def test_line_starts():
    assert line_starts("a\nb\r\nc\rd") == [0, 2, 5, 7]
    assert line_starts("") == [0]
    assert line_starts("\n") == [0, 1]


def test_front_matter_is_no_heading():
    assert found("---\ntitle: x\n# note\n---\n# One\n") == [(1, "One", 24)]
    # Not at the start of the text it is a line and a setext heading.
    assert found("\n---\ntitle: x\n---\n") == [(2, "title: x", 5)]


def test_front_matter_that_is_never_closed_is_text():
    assert found("---\ntitle: x\n\n# One\n") == [(1, "One", 14)]


def test_sections_carry_the_titles_above_them():
    text = "before\n# A\n## B\nb\n#### D\nd\n## C\n# E\n"
    assert [(text[s.start : s.end], s.path) for s in sections(text)] == [
        ("before\n", ""),
        ("# A\n", "A"),
        ("## B\nb\n", "A > B"),
        # A level that is left out does not matter.
        ("#### D\nd\n", "A > B > D"),
        ("## C\n", "A > C"),
        ("# E\n", "E"),
    ]


def test_deeper_headings_stay_inside_their_section():
    text = "# A\n### deep\n## B\n### deep\n"
    assert [(text[s.start : s.end], s.path) for s in sections(text, deepest=2)] == [
        ("# A\n### deep\n", "A"),
        ("## B\n### deep\n", "A > B"),
    ]


def test_a_heading_in_the_last_line():
    assert [(s.start, s.end) for s in sections("a\n# B")] == [(0, 2), (2, 5)]


@given(text=texts(), deepest=st.integers(1, 6))
def test_sections_tile_the_text(text, deepest):
    parts = list(sections(text, deepest=deepest))
    assert "".join(text[part.start : part.end] for part in parts) == text
    assert all(part.end > part.start for part in parts)
    starts = set(line_starts(text))
    assert all(part.start in starts for part in parts)
