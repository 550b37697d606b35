from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_texts import texts

from chunk_bakeoff.documents import Document
from chunk_bakeoff.strategies.recursive_chars import cut


def slices(text, size):
    return [text[chunk.start : chunk.end] for chunk in cut(Document(text), size=size)]


def test_a_chunk_is_closed_when_the_sum_would_pass_the_size():
    # (4 + 1) + 5 = 10 fits, (4 + 1) + 6 = 11 does not.
    assert slices("aaaa\n\nbbbbb", 10) == ["aaaa\n\nbbbbb"]
    assert slices("aaaa\n\nbbbbbb", 10) == ["aaaa", "bbbbbb"]
    # (4 + 1) + (3 + 1) + 2 = 11.
    assert slices("aaaa\n\nbbb\n\ncc", 10) == ["aaaa\n\nbbb", "cc"]
    assert slices("aaaa\n\nbbb\n\nc", 10) == ["aaaa\n\nbbb\n\nc"]


def test_the_separators_between_units_do_not_count():
    # The slice is longer than the size: only the units and one each are summed.
    assert slices("aaaa\n\n\n\n\n\nbbbbb", 10) == ["aaaa\n\n\n\n\n\nbbbbb"]


def test_a_long_paragraph_is_split_into_sentences():
    text = "One is. Two is! Three is? Four"
    assert slices(text, 29) == ["One is. Two is! Three is?", "Four"]
    assert slices(text, 10) == ["One is.", "Two is!", "Three is?", "Four"]
    # 30 characters are no more than the size: the paragraph stays a unit.
    assert slices(text, 30) == [text]


def test_a_sentence_ends_only_in_front_of_white_space():
    assert slices("v1.2.3 is out.Now. Yes", 10) == ["v1.2.3 is out.Now.", "Yes"]
    assert slices("Yes.\xa0No.\u3000Maybe so.", 12) == ["Yes.\xa0No.", "Maybe so."]


def test_a_sentence_longer_than_the_size_stays_whole():
    assert slices("short.\n\n" + "x" * 40 + " y.", 20) == ["short.", "x" * 40 + " y."]


@pytest.mark.parametrize(
    "blank", ["\n\n", "\n \t\n", "\r\n\r\n", "\r\n \r\n", "\n\xa0\n", "\n\n\n\n"]
)
def test_blank_lines(blank):
    assert slices(f"aaaa{blank}bbbb", 6) == ["aaaa", "bbbb"]


@pytest.mark.parametrize("inside", ["\n", "\r\n", " "])
def test_a_paragraph_is_not_split_elsewhere(inside):
    assert slices(f"aaaa{inside}bbbb", 6) == [f"aaaa{inside}bbbb"]


def test_size_below_one():
    with pytest.raises(ValueError, match="size must be at least 1, not 0"):
        list(cut(Document(""), size=0))


@given(text=texts(), size=st.integers(1, 60))
def test_no_chunk_could_have_taken_the_next_unit(text, size):
    """Greedy: the first unit of the next chunk did not fit into the one before."""
    chunks = slices(text, size)
    for chunk, following in pairwise(chunks):
        # Units are at most as long as their chunk, so this bounds the sum from above.
        assert len(chunk) + 1 + len(following) > size


def test_a_long_run_of_white_space_takes_linear_time():
    text = "a.\n" + " " * 200_000 + "b"
    assert slices(text, 2) == ["a.", "b"]
