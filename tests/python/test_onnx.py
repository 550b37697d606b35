"""ONNX Runtime on the packaged weights against sentence-transformers."""

import numpy as np
import pytest
from conftest import TOKENIZER

from chunk_bakeoff.embedding.declared import DeclaredModel
from chunk_bakeoff.embedding.providers import load_encoder

TEXTS = [
    "How long are logs kept?",
    "Logs are kept for 30 days, and then they are deleted from every disk.",
    "word " * 400,
    "naïve café 日本語",
]
COMMON = {"name": "m", "source": TOKENIZER, "dimensions": 384, "max_tokens": 256}


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("onnx")
        patch.setenv("CHUNK_BAKEOFF_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="module")
def reference():
    return load_encoder(DeclaredModel(**COMMON)).encode(TEXTS)


def onnx(precision):
    return DeclaredModel(**COMMON, provider="onnx", options={"precision": precision})


@pytest.mark.slow
def test_float32_gives_the_same_vectors(cache, reference):
    vectors = load_encoder(onnx("fp32")).encode(TEXTS)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, reference, atol=2e-6)


@pytest.mark.slow
def test_int8_gives_vectors_of_length_1_that_differ(cache, reference):
    vectors = load_encoder(onnx("int8")).encode(TEXTS)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    cosines = (vectors * reference).sum(axis=1)
    assert (cosines > 0.8).all()
    assert (cosines < 0.99999).all()


@pytest.mark.slow
def test_a_graph_is_exported_once(cache, reference):
    load_encoder(onnx("fp32"))
    (graph,) = cache.rglob("fp32.onnx")
    written = graph.stat().st_mtime_ns
    load_encoder(onnx("fp32"))
    assert graph.stat().st_mtime_ns == written


def test_precisions_have_revisions_of_their_own():
    revisions = {
        onnx("fp32").revision(),
        onnx("int8").revision(),
        DeclaredModel(**COMMON).revision(),
    }
    assert len(revisions) == 3


def test_an_unknown_precision_is_refused():
    with pytest.raises(ValueError, match="fp32 or int8"):
        onnx("fp4").revision()


def test_a_model_that_does_not_mean_pool_is_refused(tmp_path):
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    model = DeclaredModel(**{**COMMON, "source": str(tmp_path)}, provider="onnx")
    with pytest.raises(ValueError, match=r"pools by \['cls_token'\]"):
        load_encoder(model)
