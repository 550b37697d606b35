import pytest

from chunk_bakeoff.documents import Document
from chunk_bakeoff.source_code import pieces
from chunk_bakeoff.strategies import code

PYTHON = '''"""Module é."""
import os

X = 1

# adds
@cached
def add(a, b):
    """Add."""
    return a + b


class Big(Base):
    """Doc."""

    size = 1

    # one
    @property
    def one(self):
        return 1

    def two(self):
        def inner():
            return 2
'''


def flat(text, found, depth=0):
    for piece in found:
        yield depth, piece.symbol, text[piece.start : piece.end]
        yield from flat(text, piece.inner, depth + 1)


def test_python():
    big = PYTHON[PYTHON.index("class Big") :].rstrip()
    assert list(flat(PYTHON, pieces(PYTHON, "python"))) == [
        (0, (), '"""Module é."""\nimport os\n\nX = 1'),
        (0, ("add",), '# adds\n@cached\ndef add(a, b):\n    """Add."""\n    return a + b'),
        (0, ("Big",), big),
        (1, ("Big",), 'class Big(Base):\n    """Doc."""\n\n    size = 1'),
        (1, ("Big", "one"), "    # one\n    @property\n    def one(self):\n        return 1"),
        (1, ("Big", "two"), "    def two(self):\n        def inner():\n            return 2"),
    ]


def test_sql():
    text = (
        "-- people\ncreate table people (id int);\n\n"
        "with a as (select 1) select * from a;\n"
        "create view v as select 1;\n"
    )
    assert list(flat(text, pieces(text, "sql"))) == [
        (0, ("people",), "-- people\ncreate table people (id int);"),
        (0, (), "with a as (select 1) select * from a;"),
        (0, ("v",), "create view v as select 1;"),
    ]


def test_javascript():
    text = (
        "import x from 'y';\n\n/** Doc. */\nexport function f() {}\n"
        "export default class A {\n  m() {}\n\n  n() {}\n}\nconst g = () => 1;\n"
    )
    assert list(flat(text, pieces(text, "javascript"))) == [
        (0, (), "import x from 'y';"),
        (0, ("f",), "/** Doc. */\nexport function f() {}"),
        (0, ("A",), "export default class A {\n  m() {}\n\n  n() {}\n}"),
        (1, ("A",), "export default class A {"),
        (1, ("A", "m"), "  m() {}"),
        (1, ("A", "n"), "  n() {}\n}"),
        (0, ("g",), "const g = () => 1;"),
    ]


@pytest.mark.parametrize(
    ("language", "text", "symbols"),
    [
        ("typescript", "interface I { a: number }\nexport class A { m(): void {} }\n", ["I", "A"]),
        ("go", "package a\n\nfunc f() {}\nfunc (t *T) M() {}\n", ["", "f", "T.M"]),
        ("rust", "use a;\nfn f() {}\nimpl T for S { fn k() {} }\n", ["", "f", "T for S"]),
        ("java", "import b;\nclass A { void m() {} }\n", ["", "A"]),
    ],
)
def test_other_languages(language, text, symbols):
    assert [" > ".join(piece.symbol) for piece in pieces(text, language)] == symbols


def test_paths_go_into_the_vector_not_into_the_body(sizing):
    document = Document(PYTHON, "add", "text/x-python", metadata={"file_path": "src/add.py"})
    chunks = list(code.cut(document, sizing=sizing, size=52))
    assert [chunk.heading_path for chunk in chunks] == [
        "add",
        "add > add",
        "add > Big",
        "add > Big > one",
        "add > Big > two",
    ]
    assert chunks[3].prefix == "filepath: src/add.py\nsymbol: add > Big > one\n"
    assert PYTHON[chunks[3].start : chunks[3].end].startswith("    # one")


def test_a_long_fence_is_cut_at_its_definitions(sizing):
    text = f"# T\n\n```python\n{PYTHON}```\n\nEnd."
    chunks = list(code.cut(Document(text), sizing=sizing, size=40))
    assert any(text[c.start : c.end].startswith("# adds") for c in chunks)
    assert text[chunks[-1].start : chunks[-1].end] == "End."
