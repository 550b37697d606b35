"""Rescoring pairs: each with its reranker, by a model that is loaded when it is needed."""

import pyarrow as pa
import pytest
from support import TOKENIZER

from chunk_bakeoff.errors import UserError
from chunk_bakeoff.packaged import model_path
from chunk_bakeoff.reranking import RERANK_SCHEMA, pair_scorer, reranker

PAIRS = [
    ("first", "a", "red and blue", "blue"),
    ("second", "b", "red and blue", "green blue red grey"),
    ("first", "c", "red and blue", "green"),
]
COLUMNS = ("reranker", "pair_key", "question", "passage")


def batch(pairs):
    return pa.RecordBatch.from_pydict(
        {name: [pair[column] for pair in pairs] for column, name in enumerate(COLUMNS)}
    )


def scored(*batches, settings):
    rows = [row for found in reranker(settings)(iter(batches)) for row in found.to_pylist()]
    assert all(row.keys() == set(RERANK_SCHEMA.names) for row in rows)
    return {row["pair_key"]: (row["reranker"], row["score"]) for row in rows}, rows


def test_every_pair_gets_the_score_of_its_reranker():
    overlap = {"provider": "overlap", "model": "none"}
    found, rows = scored(batch(PAIRS), settings={"first": overlap, "second": overlap})
    # The share of the passage's words that the question holds.
    assert found == {"a": ("first", 1.0), "b": ("second", 0.5), "c": ("first", 0.0)}
    assert all(row["seconds"] >= 0 for row in rows)


def test_a_model_is_loaded_with_its_first_pair_alone():
    missing = {"model": "/nowhere/cross-encoder"}
    assert scored(batch([]), settings={"first": missing})[1] == []
    with pytest.raises(UserError, match=r"rerankers, first: .*/nowhere/cross-encoder"):
        scored(batch(PAIRS[:1]), settings={"first": missing})


def test_an_unknown_provider_is_refused():
    with pytest.raises(UserError, match="rerankers, mine: provider 'remote' is unknown"):
        pair_scorer("mine", {"provider": "remote", "model": "x"})


@pytest.mark.slow
def test_a_cross_encoder_of_a_folder_scores_every_pair(tmp_path):
    import torch
    from sentence_transformers import CrossEncoder
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

    tokenizer = AutoTokenizer.from_pretrained(str(model_path(TOKENIZER)))
    torch.manual_seed(1)
    sizes = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = BertConfig(vocab_size=len(tokenizer), intermediate_size=64, num_labels=1, **sizes)
    BertForSequenceClassification(config).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)

    settings = {key: {"model": str(tmp_path)} for key in ("first", "second")}
    found, _ = scored(batch(PAIRS), settings=settings)
    library = CrossEncoder(str(tmp_path), device="cpu").predict([pair[2:] for pair in PAIRS])
    assert [found[key][1] for key in "abc"] == pytest.approx(library.tolist(), abs=1e-6)
    assert len({score for _, score in found.values()}) == 3
