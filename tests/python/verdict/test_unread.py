from __future__ import annotations

from chunk_bakeoff.verdict.unread import read_characters


def test_a_text_within_the_limit_is_read_to_its_end(tokenizer):
    assert read_characters("one two three", tokenizer, 5) == len("one two three")


def test_reading_stops_behind_the_last_token_that_fits(tokenizer):
    # Five tokens, two of them special: three words are read.
    assert read_characters("one two three four five", tokenizer, 5) == len("one two three")
