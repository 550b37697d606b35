"""What the Python tests share."""

import os

import pytest
from hypothesis import settings
from support import REPO, TOKENIZER

from chunk_bakeoff.chunk import Sizing
from chunk_bakeoff.rows import read_rows
from chunk_bakeoff.tokens import load_tokenizer

# The same examples on every run; HYPOTHESIS_PROFILE=search looks for new ones.
settings.register_profile("repeat", deadline=None, derandomize=True, max_examples=100)
settings.register_profile("search", deadline=None, max_examples=3000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeat"))


@pytest.fixture(scope="session")
def tokenizer():
    return load_tokenizer(TOKENIZER)


@pytest.fixture(scope="session")
def sizing(tokenizer):
    """The default model's: 256 tokens, two of them special."""
    return Sizing(tokenizer, 256)


@pytest.fixture(scope="session")
def hashing_model():
    """Settings of a model that needs no weights."""
    return {
        "name": "hashing",
        "provider": "hashing",
        "source": TOKENIZER,
        "dimensions": 64,
        "max_tokens": 256,
    }


@pytest.fixture(scope="session")
def corpus():
    """Texts of the bundled documents by id."""
    rows = read_rows(REPO / "seeds" / "raw_documents.csv")
    return {row["doc_id"]: row["text"] for _, row in rows}
