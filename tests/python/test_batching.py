from hypothesis import given
from hypothesis import strategies as st

from chunk_bakeoff.embedding.batching import PendingText, batches


def pending(*counts):
    return [PendingText("passage", str(i), "text", count) for i, count in enumerate(counts)]


def lengths(counts, **settings):
    return [[text.token_count for text in batch] for batch in batches(pending(*counts), **settings)]


def test_padded_size_stays_within_the_budget():
    # 10 x 2 = 20 fits, 10 x 3 does not; 5 x 4 = 20 fits.
    counts = [10, 9, 8, 5, 5, 4]
    assert lengths(counts, batch_tokens=20, max_tokens=256) == [[10, 9], [8, 5], [5, 4]]
    assert lengths([5, 5, 5, 5, 5], batch_tokens=20, max_tokens=256) == [[5, 5, 5, 5], [5]]


def test_a_text_counts_at_most_what_the_model_reads():
    assert lengths([900, 900, 900], batch_tokens=20, max_tokens=10) == [[900, 900], [900]]


def test_a_text_beyond_the_budget_stands_alone():
    assert lengths([50, 3, 3], batch_tokens=20, max_tokens=256) == [[50], [3, 3]]


def test_texts_without_tokens_count_one():
    assert lengths([0] * 5, batch_tokens=2, max_tokens=256) == [[0, 0], [0, 0], [0]]


def test_a_batch_ends_before_it_is_mostly_padding():
    settings = {"batch_tokens": 4096, "max_tokens": 256, "most_padding": 0.1}
    # 3 x 250 holds 10 + 130 of padding, which is more than a tenth of 750 and more than 128.
    assert lengths([250, 240, 120, 118], **settings) == [[250, 240], [120, 118]]
    # 2 x 120 holds 110 of padding, which costs less than another call.
    assert lengths([120, 10], **settings) == [[120, 10]]
    # 15 x 200 holds 210 of padding, which is less than a tenth of 3,000.
    assert lengths([200, *[185] * 14], **settings) == [[200, *[185] * 14]]


def test_nothing():
    assert lengths([], batch_tokens=20, max_tokens=256) == []


@given(
    counts=st.lists(st.integers(0, 40), max_size=40),
    batch_tokens=st.integers(1, 100),
    max_tokens=st.integers(1, 30),
)
def test_every_text_once_and_in_order(counts, batch_tokens, max_tokens):
    texts = pending(*counts)
    found = list(batches(texts, batch_tokens=batch_tokens, max_tokens=max_tokens))
    assert [text for batch in found for text in batch] == texts
    for batch in found:
        longest = max(max(1, min(text.token_count, max_tokens)) for text in batch)
        assert len(batch) == 1 or longest * len(batch) <= batch_tokens
