"""Offsets put together from words are those of one encoding of the whole text."""

import pytest
from hypothesis import example, given
from random_texts import texts
from support import TOKENIZER
from tokenizers import Tokenizer as FastTokenizer

from chunk_bakeoff import words
from chunk_bakeoff.packaged import model_path

ADDED = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


@pytest.fixture(scope="module")
def fast():
    found = FastTokenizer.from_file(str(model_path(TOKENIZER) / "tokenizer.json"))
    found.no_truncation()
    found.no_padding()
    return found


def at_once(fast, text):
    spans = fast.encode(text, add_special_tokens=False).offsets
    return [span for span in spans if span[1] > span[0]]


def by_words(found, text):
    starts, ends = found.offsets(text)
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def test_by_hand(fast):
    found = words.WordOffsets(fast)
    assert by_words(found, "ring  it.\nring") == [(0, 4), (6, 8), (8, 9), (10, 14)]
    assert by_words(found, "") == by_words(found, " \n ") == []


@given(text=texts())
# A mark that the normalizer drops stands at the edge of a part; added tokens are parts of words.
@example("a.\u0301b \u0301. x[CLS]y [cls] [ CLS] [[SEP]]")
# The normalizer drops these and joins what stands on their sides.
@example("ri\x0bng ri\x85ng ri\tng ri\u3000ng")
def test_offsets_are_those_of_the_whole(fast, text):
    assert by_words(words.WordOffsets(fast, ADDED), text) == at_once(fast, text)


def test_words_are_kept_between_texts(fast, corpus):
    found = words.WordOffsets(fast, ADDED)
    for text in corpus.values():
        assert by_words(found, text) == at_once(fast, text)


def test_blocks_end_between_words(fast, corpus, monkeypatch):
    monkeypatch.setattr(words, "BLOCK_CHARACTERS", 10)
    text = next(iter(corpus.values()))
    found = words.WordOffsets(fast, ADDED)
    assert by_words(found, text) == at_once(fast, text)


def test_words_are_dropped_when_there_are_too_many(fast, monkeypatch):
    monkeypatch.setattr(words, "MOST_CHARACTERS", 8)
    found = words.WordOffsets(fast, ADDED)
    assert by_words(found, "ring it") == [(0, 4), (5, 7)]
    assert found._numbers
    assert by_words(found, "ring the bell") == [(0, 4), (5, 8), (9, 13)]
    assert not found._numbers
    assert by_words(found, "ring") == [(0, 4)]
