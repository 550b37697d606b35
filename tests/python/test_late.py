import numpy as np
import pytest
from support import TOKENIZER

from chunk_bakeoff.chunk import Chunk, Sizing
from chunk_bakeoff.documents import Document
from chunk_bakeoff.embedding.batching import PendingText
from chunk_bakeoff.embedding.declared import DeclaredModel
from chunk_bakeoff.embedding.late import check_mean_pooling, encode_texts, pool
from chunk_bakeoff.embedding.providers import load_encoder
from chunk_bakeoff.late import with_windows
from chunk_bakeoff.text import Span


@pytest.fixture(scope="module")
def encoder():
    return load_encoder(DeclaredModel("m", 384, TOKENIZER, 256))


@pytest.mark.slow
def test_one_chunk_over_the_whole_text_is_ordinary_encoding(encoder):
    texts = ["Short text with é and 山.", "A longer one, of many words. " * 12, "\u200bx"]
    ordinary = encoder.encode(texts)
    late = encoder.encode_late(texts, [[Span(0, len(text)), Span(0, 7)] for text in texts])
    for expected, found in zip(ordinary, late, strict=True):
        np.testing.assert_allclose(found[0], expected, atol=1e-5)
        assert np.linalg.norm(found[1]) == pytest.approx(1, abs=1e-5)
    assert np.abs(late[1][0] - late[1][1]).max() > 0.01


def test_tokens_are_averaged_inside_the_span():
    tokens = np.array([[9, 0], [2, 0], [0, 2], [0, 9]], dtype=np.float32)
    offsets = [(0, 0), (0, 3), (4, 7), (0, 0)]
    first, second, both = pool(tokens, offsets, "one two", [Span(0, 3), Span(4, 7), Span(0, 7)])
    # The special token at an edge counts where the span reaches that edge.
    np.testing.assert_allclose(first, [1, 0])
    np.testing.assert_allclose(second, [0, 1])
    np.testing.assert_allclose(both, np.array([1, 1]) / np.sqrt(2), atol=1e-6)
    inner = pool(
        np.eye(5, dtype=np.float32), [(0, 0), (0, 1), (2, 3), (4, 5), (0, 0)], "a b c", [Span(2, 3)]
    )
    np.testing.assert_allclose(inner, [[0, 0, 1, 0, 0]])
    with pytest.raises(ValueError, match="no token"):
        pool(tokens, offsets, "one two", [Span(3, 4)])


class Windows:
    def __init__(self):
        self.windows = []

    def encode(self, texts, text_kind):
        return np.array([[len(text), 0] for text in texts], dtype=np.float32)

    def encode_late(self, windows, spans):
        self.windows += windows
        return [np.array([[s.start, s.end] for s in own], dtype=np.float32) for own in spans]


def test_a_window_is_encoded_once_for_all_its_chunks():
    encoder = Windows()
    texts = [
        PendingText("passage", "a", "window", 9, 0, 3),
        PendingText("passage", "b", "plain", 9),
        PendingText("passage", "c", "window", 9, 3, 6),
    ]
    assert [list(v) for v in encode_texts(encoder, texts)] == [[0, 3], [5, 0], [3, 6]]
    assert encoder.windows == ["window"]


def test_providers_without_token_vectors_are_refused():
    with pytest.raises(ValueError, match="needs the token vectors of the model"):
        encode_texts(object(), [PendingText("passage", "a", "w", 9, 0, 1)])


def test_models_that_do_not_average_are_refused():
    class Transformer: ...

    class Pooling:
        pooling_mode = "cls"

    with pytest.raises(ValueError, match="pools by 'cls'"):
        check_mean_pooling([Transformer(), Pooling()])


def test_windows_are_as_long_as_the_model_and_overlap(tokenizer):
    text = " ".join(f"w{number}" for number in range(10, 40))
    # Two tokens a word: 60 tokens; the model reads 20 of them at once.
    words = [Span(4 * n, 4 * n + 3) for n in range(30)]
    chunks = [Chunk(words[n].start, words[n + 4].end) for n in range(0, 30, 5)]
    found = list(with_windows(Document(text), chunks, Sizing(tokenizer, 22), overlap=4))
    assert [chunk.window for chunk in found] == [
        (words[0].start, words[9].end),
        (words[0].start, words[9].end),
        (words[8].start, words[17].end),
        (words[13].start, words[22].end),
        (words[18].start, words[27].end),
        (words[23].start, words[29].end),
    ]
    whole = list(with_windows(Document(text), chunks, Sizing(tokenizer, 256), overlap=4))
    assert {chunk.window for chunk in whole} == {(0, len(text))}
    with pytest.raises(ValueError, match="do not fit"):
        list(with_windows(Document(text), chunks, Sizing(tokenizer, 8), overlap=4))
