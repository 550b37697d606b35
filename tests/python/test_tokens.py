import json

import pytest
from hypothesis import given
from random_texts import texts
from support import TOKENIZER
from tokenizers import Tokenizer as FastTokenizer
from tokenizers import models, pre_tokenizers

from chunk_bakeoff.packaged import model_path
from chunk_bakeoff.tokens import TokenCount, Tokenizer, load_tokenizer


@pytest.fixture(scope="module")
def bytes_tokenizer():
    """A tokenizer that does not treat words alone: one token per byte, spaces included."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    fast = FastTokenizer(models.BPE({character: i for i, character in enumerate(alphabet)}, []))
    fast.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return Tokenizer(fast)


def test_neither_truncates_nor_pads(tokenizer):
    # The packaged file does both, which is what this is about.
    packaged = json.loads((model_path(TOKENIZER) / "tokenizer.json").read_text("utf-8"))
    assert packaged["truncation"] and packaged["padding"]
    counts = tokenizer.count(["river stone " * 250, "river"])
    assert [count.tokens for count in counts] == [502, 3]


def test_counts_include_special_tokens(tokenizer):
    assert tokenizer.special_tokens == 2
    assert tokenizer.count_one("") == 2
    assert tokenizer.count_one("ring the bell.") == 6
    assert tokenizer.count(["", "ring the bell."]) == [TokenCount(2, 0, 0), TokenCount(6, 0, 0)]
    assert tokenizer.count([]) == []


def test_unknown_words_are_counted_with_their_characters(tokenizer):
    blob = "Q7xT2mB9" * 700
    assert tokenizer.count([f"Key {blob} end of key"]) == [TokenCount(7, 1, 5600)]
    # Two rockets in one run are one unknown word.
    assert tokenizer.count(["ok 🚀🚀 🚀"]) == [TokenCount(5, 2, 3)]


def test_count_character(tokenizer):
    assert [tokenizer.count_character(c) for c in ("a", " ", "\u200b", "山", "한")] == [
        1,
        0,
        0,
        1,
        3,
    ]


def test_offsets(tokenizer):
    assert tokenizer.offsets("ring the bell.") == [(0, 4), (5, 8), (9, 13), (13, 14)]
    assert tokenizer.offsets(" \n") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ring it", [(0, 4, 1), (5, 7, 1)]),
        # Zero-width characters get no token: the first two join the first token.
        ("\u200b\u200bab c\u200b", [(0, 4, 1), (5, 7, 1)]),
        # Between two tokens they join the one in front, with the white space before them.
        ("a \u200b b", [(0, 3, 1), (4, 5, 1)]),
        # A syllable of three tokens is one unit.
        ("한국", [(0, 1, 3), (1, 2, 3)]),
        ("\u200b \u200b", [(0, 3, 1)]),
        (" \n ", []),
        ("", []),
    ],
)
def test_covering_units(tokenizer, text, expected):
    units = tokenizer.covering_units(text)
    assert list(zip(*(column.tolist() for column in units), strict=True)) == expected


@given(text=texts())
def test_units_are_ordered_and_hold_every_token(tokenizer, text):
    units = tokenizer.covering_units(text)
    assert all(units.ends[:-1] <= units.starts[1:])
    tokens = len(tokenizer.offsets(text))
    assert units.tokens.sum() == max(tokens, len(units.tokens))


def test_slices_between_white_space_count_as_if_they_were_encoded_alone(tokenizer):
    assert tokenizer.splits_at_white_space
    text = "Turbines convert moving air; gearboxes\nraise the speed."
    count = tokenizer.counter(text)
    edges = [0, *(i for i, character in enumerate(text) if character in " \n"), len(text)]
    for first, start in enumerate(edges):
        for end in edges[first:]:
            alone = tokenizer.count_one(text[start:end]) - 2
            assert count([start, end]) == [alone]


def test_other_tokenizers_encode_every_slice(bytes_tokenizer):
    assert not bytes_tokenizer.splits_at_white_space
    count = bytes_tokenizer.counter("a é b")
    assert [count([0, 1, 3, 5]), count([0, 5])] == [[1, 3, 2], [6]]
    assert bytes_tokenizer.special_tokens == 0
    assert bytes_tokenizer.count(["a é"]) == [TokenCount(4, 0, 0)]


def test_a_tokenizer_is_loaded_once():
    assert load_tokenizer(TOKENIZER) is load_tokenizer(TOKENIZER)


def test_a_folder_without_a_tokenizer(tmp_path):
    with pytest.raises(ValueError, match=r"no tokenizer\.json in"):
        load_tokenizer(str(tmp_path))


def test_long_texts_are_encoded_in_parts_without_a_difference(tokenizer, corpus):
    text = "\n\n".join(corpus.values()) + "z" * 10_000 + " \u0301 end"
    whole = tokenizer._fast.encode(text, add_special_tokens=False).offsets
    assert tokenizer.offsets(text) == [span for span in whole if span[1] > span[0]]


@pytest.mark.parametrize(
    "change",
    [
        {"pre_tokenizer": {"type": "WhitespaceSplit"}},
        {"normalizer": {"type": "Strip", "strip_left": True, "strip_right": True}},
        {"added_tokens": {"lstrip": True}},
        {"added_tokens": {"normalized": True}},
    ],
)
def test_words_that_are_not_tokenized_alone(change):
    given = json.loads((model_path(TOKENIZER) / "tokenizer.json").read_text("utf-8"))
    if "added_tokens" in change:
        given["added_tokens"][-1].update(change["added_tokens"])
    else:
        given.update(change)
    other = Tokenizer(FastTokenizer.from_str(json.dumps(given)))
    assert not other.splits_at_white_space
    assert other.offsets("ring the bell.")[:2] == [(0, 4), (5, 8)]
