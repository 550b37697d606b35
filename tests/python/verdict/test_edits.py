from __future__ import annotations

import pytest

from chunk_bakeoff.documents import Document
from chunk_bakeoff.verdict.edits import EDITS, NEW_SECTION

TEXT = (
    "# Title\n\nFirst words.\n\n## Setup\n\nInstall the thing.\nThen run it.\n\n"
    "## Use\n\nCall it.\n"
)


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ("insert_section", TEXT.replace("## Setup", f"## {NEW_SECTION}## Setup")),
        # Title First words Setup [Install] thing Then Call: the words of at least four letters
        ("change_word", TEXT.replace("Install", "reworded")),
        ("delete_paragraph", TEXT.replace("Install the thing.\nThen run it.\n\n", "")),
        ("rename_heading", TEXT.replace("## Setup", "## Setup as revised")),
    ],
)
def test_edits_by_hand(edit, expected):
    assert EDITS[edit](Document(TEXT)) == expected


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("text", ["", "x", "# Only a heading", "plain\n\nwords here"])
def test_small_documents_are_edited_or_left_alone(edit, text):
    assert isinstance(EDITS[edit](Document(text)), str)


def test_every_bundled_document_takes_the_edits(corpus):
    for doc_id, text in corpus.items():
        document = Document(text, doc_id)
        for edit in ("insert_section", "change_word", "delete_paragraph"):
            assert EDITS[edit](document) != text, (doc_id, edit)
