import itertools

import pytest

from chunk_bakeoff.documents import Document
from chunk_bakeoff.elements import document_elements
from chunk_bakeoff.strategies import elements
from chunk_bakeoff.strategies.tables import cells, row_sentence

DOCUMENT = """---
title: x
---
Before.

# One

Lead of the table. It lists ports.

| Name | Port |
|---|---|
| web \\| api | 80 |
| db | 5432 |

- item a
  - nested
- item b

> quoted

## Two

```py
# no heading
x = 1
```

[link]: http://x
"""


def test_elements_of_a_document():
    found = [
        (e.kind, e.path, DOCUMENT[e.start : e.end]) for e in document_elements(Document(DOCUMENT))
    ]
    assert found == [
        ("front_matter", "", "---\ntitle: x\n---"),
        ("paragraph", "", "Before."),
        ("heading", "One", "# One"),
        ("paragraph", "One", "Lead of the table. It lists ports."),
        ("table_header", "One", "| Name | Port |\n|---|---|"),
        ("table_row", "One", "| web \\| api | 80 |"),
        ("table_row", "One", "| db | 5432 |"),
        ("list_item", "One", "- item a\n  - nested"),
        ("list_item", "One", "- item b"),
        ("quote", "One", "> quoted"),
        ("heading", "One > Two", "## Two"),
        ("code", "One > Two", "```py\n# no heading\nx = 1\n```"),
        ("paragraph", "One > Two", "[link]: http://x"),
    ]


def test_chunks_never_mix_sections_or_kinds(sizing):
    chunks = list(elements.cut(Document(DOCUMENT), sizing=sizing))
    assert [(c.heading_path, DOCUMENT[c.start : c.end].split("\n")[0]) for c in chunks] == [
        (None, "---"),
        ("One", "# One"),
        ("One", "| Name | Port |"),
        ("One", "- item a"),
        ("One", "> quoted"),
        ("One > Two", "## Two"),
        ("One > Two", "[link]: http://x"),
    ]
    assert chunks[2].prefix == "It lists ports.\n"
    assert DOCUMENT[chunks[2].start : chunks[2].end].endswith("| db | 5432 |")


def test_a_long_element_gets_overlapping_windows(sizing):
    text = " ".join(f"w{number}" for number in range(30))
    spans = [
        (c.start, c.end) for c in elements.cut(Document(text), sizing=sizing, size=20, overlap=6)
    ]
    assert len(spans) > 2
    assert all(a[0] < b[0] < a[1] < b[1] for a, b in itertools.pairwise(spans))


def test_later_groups_of_rows_carry_lead_and_header(sizing):
    header = "| Name | Port |\n|---|---|"
    rows = "| web | 80 |\n| db | 5432 |\n| api | 81 |\n| ssh | 22 |"
    text = f"Ports follow.\n\n{header}\n{rows}\n"
    # The lead is 3 tokens, the header 14, the rows 5, 6, 5 and 6: 33 with the first three.
    chunks = list(elements.cut_tables(Document(text), sizing=sizing, size=34))
    assert [text[c.start : c.end] for c in chunks] == [
        "Ports follow.",
        f"{header}\n| web | 80 |\n| db | 5432 |\n| api | 81 |",
        "| ssh | 22 |",
    ]
    assert [c.prefix for c in chunks] == ["", "Ports follow.\n", f"Ports follow.\n{header}\n"]
    assert [c.context for c in chunks] == [None, None, None]


def test_rows_as_sentences(sizing):
    text = "| Name | Port |\n|---|---|\n| web \\| api | 80 | extra |\n| db |  |\n"
    (chunk,) = elements.cut_tables(Document(text), sizing=sizing, as_sentences=True)
    assert chunk.embed_text == "Name: web | api, Port: 80, extra.\nName: db."
    assert text[chunk.start : chunk.end] == text.strip()


@pytest.mark.parametrize("as_sentences", [False, True])
def test_a_header_without_rows_is_a_chunk(sizing, as_sentences):
    text = "| a | b |\n|---|---|\n"
    (chunk,) = elements.cut_tables(Document(text), sizing=sizing, as_sentences=as_sentences)
    assert (chunk.start, chunk.end, chunk.prefix, chunk.embed_text) == (0, 19, "", None)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("| a \\| b | either |", ["a | b", "either"]),
        ("| `x\\|y` | pipe in code |", ["`x|y`", "pipe in code"]),
        ("a | b", ["a", "b"]),
        ("| | Jan |", ["", "Jan"]),
    ],
)
def test_cells(row, expected):
    assert cells(row) == expected


def test_a_row_without_columns_keeps_its_values():
    assert row_sentence(["", ""], ["x", "y"]) == "x, y."
    assert row_sentence(["a"], [""]) == ""


def test_a_huge_row_is_cut_between_words(sizing):
    row = "| long | " + "alpha beta gamma 5,120 " * 40 + "|"
    text = f"| K | V |\n|---|---|\n{row}\n| short | 7 |\n"
    chunks = list(elements.cut_tables(Document(text), sizing=sizing, size=64))
    bodies = [text[c.start : c.end] for c in chunks]
    assert bodies[-1] == "| short | 7 |"
    assert "".join(bodies).count("5,120") == 40
    for chunk, body in zip(chunks, bodies, strict=True):
        assert sizing.tokenizer.count_one(chunk.prefix + body) <= 66


def given(*rows):
    """A document given as elements, of (kind, text, access list, section path)."""
    elements_given, start = [], 0
    for kind, text, group, path in rows:
        place = {"char_start": start, "char_end": start + len(text)}
        elements_given.append({"kind": kind, "section_path": path, "acl": [group], **place})
        start += len(text) + 2
    text = "\n\n".join(row[1] for row in rows)
    return Document(text, "d", "text/plain", metadata={"given_elements": elements_given})


def test_given_elements_are_taken_as_they_are():
    document = given(
        ("heading", "Ports", "public", "Manual > Ports"),
        ("code", "a = 1\n\nb = 2", "public", "Manual > Ports"),
    )
    found = document_elements(document)
    # Text alone would have been cut at the blank line.
    assert [(e.kind, e.start, e.end) for e in found] == [("heading", 0, 5), ("code", 7, 19)]
    assert found[1].path == "Manual > Ports"


TABLE = (
    ("table_header", "| Name | Port |\n|---|---|", "public", "Ports"),
    ("table_row", "| web | 80 |", "public", "Ports"),
)


@pytest.mark.parametrize("cut", [elements.cut, elements.cut_tables])
def test_what_stands_in_front_of_a_table_comes_along_within_its_access_list_alone(cut, sizing):
    for group, prefix in (("public", "They are open.\n"), ("board", "")):
        document = given(("paragraph", "They are open.", group, "Ports"), *TABLE)
        *_, table = cut(document, sizing=sizing, size=64)
        assert document.text[table.start : table.end].startswith("| Name")
        assert table.prefix == prefix


def test_windows_begin_anew_where_the_access_list_changes(sizing):
    document = given(
        ("paragraph", "one two three four", "public", "A"),
        ("paragraph", "five", "public", "B"),
        ("paragraph", "six", "board", "B"),
        ("paragraph", "seven eight", "public", "B"),
    )
    cut = elements.cut_naive(document, sizing=sizing, size=4, overlap=0)
    bodies = [document.text[c.start : c.end] for c in cut]
    assert bodies == ["one two three four", "five", "six", "seven eight"]


@pytest.mark.parametrize("cut", [elements.cut, elements.cut_tables])
@pytest.mark.parametrize("place", [("board", "Ports"), ("public", "Other")])
def test_no_chunk_crosses_access_lists_or_sections(cut, place, sizing):
    document = given(
        ("paragraph", "alpha", "public", "Ports"),
        ("paragraph", "beta", *place),
        ("paragraph", "gamma", *place),
    )
    bodies = [document.text[c.start : c.end] for c in cut(document, sizing=sizing, size=64)]
    assert bodies == ["alpha", "beta\n\ngamma"]
