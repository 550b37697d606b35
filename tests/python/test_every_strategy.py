"""What every strategy owes every document at hand, with the variants that it ships with."""

import json
import re
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import yaml
from hard_cases import PATH as CASES
from hard_cases import load
from random_texts import is_white
from support import REPO, TOKENIZER
from test_recursive import REFERENCES

from chunk_bakeoff.chunk import Chunker
from chunk_bakeoff.documents import MARKDOWN, Document, canonical_text
from chunk_bakeoff.errors import UserError
from chunk_bakeoff.rows import read_rows
from chunk_bakeoff.units import UnitVectors, units
from chunk_bakeoff.variants import prepare_variants

FOLDER = REPO / "models" / "strategies"
MODELS = [{"name": "m", "source": TOKENIZER, "dimensions": 384, "max_tokens": 256}]
# Sized in characters, which do not bound tokens: kept on documents of ordinary text alone.
IN_CHARACTERS = {"fixed_chars", "recursive_chars", "parent_child_chars"}
# They have tests of their own in test_libraries.py: the first embeds what it cuts, the second
# takes half a minute to import.
APART = {"chonkie_semantic", "llamaindex_sentences"}


def models():
    """Cut function and default variants of every model of the folder."""
    declared = yaml.safe_load((FOLDER / "_strategies__models.yml").read_text("utf-8"))["models"]
    variants = {model["name"]: model["config"]["meta"]["variants"] for model in declared}
    for file in sorted(FOLDER.glob("*.py")):
        module, function = re.search(r"chunker\(\s*(\w+)\.(\w+),", file.read_text("utf-8")).groups()
        found = getattr(import_module(f"chunk_bakeoff.strategies.{module}"), function)
        yield file.stem, found, variants[file.stem]


STRATEGIES = [
    pytest.param(name, cut, {variant: settings}, id=variant)
    for name, cut, variants in models()
    if name not in APART
    for variant, settings in variants.items()
]


def described(text, doc_id, media_type):
    """A document with all that a strategy may ask for; units get vectors that mean nothing."""
    metadata = {"doc_id": doc_id, "title": f"About {doc_id}", "text": text}
    spans = units(Document(text, doc_id, media_type))
    angles = np.arange(len(spans)) ** 2.0
    vectors = UnitVectors(
        np.array([span.start for span in spans], dtype=np.int64),
        np.array([span.end for span in spans], dtype=np.int64),
        np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32),
    )
    return Document(text, doc_id, media_type, metadata=metadata, units=vectors)


@pytest.fixture(scope="module")
def ordinary():
    """The bundled documents, and those of the references where they exist."""
    rows = [row for _, row in read_rows(REPO / "seeds" / "raw_documents.csv")]
    found = [described(row["text"], row["doc_id"], row["media_type"]) for row in rows]
    assert len(found) == 18
    for file in sorted(REFERENCES.glob("*/*.md")):
        text = canonical_text(file.read_text("utf-8"), ["drop_link_definitions"])
        found.append(described(text, file.stem, MARKDOWN))
    return found


@pytest.fixture(scope="module")
def hard():
    """The documents of the hard inputs, where they exist, and a few more."""
    texts = {
        "empty": "",
        "blank": " \n\n\t\n",
        "headings alone": "# One\n\n## Two\n\n### Three\n\n# Four\n",
        "headings of underlines": "One\n===\n\nTwo\n---\n",
        "a table alone": "| a | b |\n|---|---|\n| 1 | 2 |\n",
        "a header alone": "| a | b |\n|---|---|\n",
        "an open fence": "```python\ndef f():\n    return 1\n",
        "front matter alone": "---\ntitle: x\n---\n",
    }
    found = [described(text, name, MARKDOWN) for name, text in texts.items()]
    for case in load():
        for document in case.documents if "documents" in case.input else []:
            try:
                text = canonical_text(document.text)
            except UserError:
                # A NUL or a lone surrogate: no document may hold one.
                continue
            found.append(described(text, f"{case.id}.{document.doc_id}", document.media_type))
    return found


def test_documents_that_are_absent_are_named():
    absent = [str(path) for path in (REFERENCES, CASES) if not Path(path).exists()]
    if absent:
        pytest.skip(f"the strategies were NOT run on {absent}: there is no such file or folder")


@pytest.mark.parametrize(("model", "cut", "variants"), STRATEGIES)
def test_on_ordinary_documents(model, cut, variants, ordinary, tokenizer):
    for document in ordinary:
        check(document, model, cut, variants, tokenizer, bounded=True)


@pytest.mark.parametrize(("model", "cut", "variants"), STRATEGIES)
def test_on_hard_documents(model, cut, variants, hard, tokenizer):
    for document in hard:
        check(document, model, cut, variants, tokenizer, bounded=model not in IN_CHARACTERS)


@pytest.mark.slow
@pytest.mark.parametrize(("model", "cut", "variants"), STRATEGIES)
def test_on_one_long_line(model, cut, variants, tokenizer):
    for piece in ("Stone river. Bell ", "山路在五月开放。", "x", "| a ", "Ann: hello. "):
        document = described(piece * (40_000 // len(piece)), piece, MARKDOWN)
        check(document, model, cut, variants, tokenizer, bounded=model not in IN_CHARACTERS)


@pytest.fixture(scope="module")
def ten_megabytes():
    return described("Stone river. Bell " * 555_556, "line", MARKDOWN)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "cut", "variants"),
    [
        param
        for param in STRATEGIES
        if param.id in {"fixed_128_0", "recursive_248", "structure_path", "transcripts_248"}
        or param.id in {"sentences_248", "elements_248", "tables_rows", "semantic_p95"}
    ],
)
def test_on_one_line_of_ten_megabytes(model, cut, variants, ten_megabytes):
    (variant,) = prepare_variants(cut, variants, MODELS)
    chunks = list(variant_chunks(cut, variant, ten_megabytes))
    assert len(chunks) > 1000
    # Neighbours meet, or share a part, or leave white space between them.
    edges = [(0, 0), *chunks, (len(ten_megabytes.text),) * 2]
    assert all(
        not ten_megabytes.text[end:start].strip() for (_, end), (start, _) in pairwise(edges)
    )


def variant_chunks(cut, variant, document):
    """Where the chunks begin and end."""
    for chunk in cut(document, **variant.arguments):
        yield chunk.start, chunk.end


def check(document, model, cut, variants, tokenizer, *, bounded):
    """Slices are exact, coverage is complete, limits are kept, nothing is nested undeclared."""
    (variant,) = prepare_variants(cut, variants, MODELS)
    rows = Chunker(cut, [variant], "1", "code").rows(document, variant)
    declared = json.loads(variant.label).get("declares", [])
    where = (variant.name, document.doc_id)
    text = document.text
    covered = np.zeros(len(text), dtype=bool)
    for row in rows:
        start, end = row["char_start"], row["char_end"]
        assert 0 <= row["context_start"] <= start < end <= row["context_end"] <= len(text), where
        assert row["body"] == text[start:end], where
        covered[start:end] = True
    lost = "".join(text[i] for i in np.flatnonzero(~covered) if not is_white(text[i]))
    assert lost == "", where
    spans = [(row["char_start"], row["char_end"]) for row in rows]
    assert all(a[0] <= b[0] for a, b in pairwise(spans)), where
    if "nested" not in declared:
        assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(spans)), where
    if bounded and "over_limit" not in declared and rows:
        embedded = [row["embed_text"] or row["embed_prefix"] + row["body"] for row in rows]
        assert max(count.tokens for count in tokenizer.count(embedded)) <= 256, where
