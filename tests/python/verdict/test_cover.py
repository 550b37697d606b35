from __future__ import annotations

from itertools import combinations

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunk_bakeoff.text import Span
from chunk_bakeoff.verdict.cover import contexts_needed, cover_table


@pytest.mark.parametrize(
    ("needed", "contexts", "expected"),
    [
        (range(10, 20), [Span(0, 30)], 1),
        (range(10, 20), [Span(0, 15), Span(15, 30)], 2),
        # The long one makes the two short ones unnecessary.
        (range(10, 20), [Span(8, 14), Span(9, 20), Span(14, 20)], 1),
        (range(10, 20), [Span(0, 12), Span(12, 14), Span(14, 40)], 3),
        # Position 14 is white space between two contexts.
        ([10, 11, 12, 13, 15, 16], [Span(10, 14), Span(15, 17)], 2),
        ([10, 11, 12], [Span(0, 11), Span(12, 20)], None),
        ([10], [], None),
    ],
)
def test_the_smallest_cover_by_hand(needed, contexts, expected):
    assert contexts_needed(list(needed), contexts) == expected


spans = st.tuples(st.integers(0, 12), st.integers(1, 6)).map(lambda p: Span(p[0], p[0] + p[1]))


@given(st.sets(st.integers(0, 15), min_size=1, max_size=8), st.lists(spans, max_size=6))
def test_the_greedy_cover_is_as_small_as_the_best_of_all(needed, contexts):
    sizes = (
        size
        for size in range(len(contexts) + 1)
        for chosen in combinations(contexts, size)
        if all(any(c.start <= point < c.end for c in chosen) for point in needed)
    )
    assert contexts_needed(sorted(needed), contexts) == next(sizes, None)


def test_a_question_shares_contexts_between_its_spans():
    with duckdb.connect() as connection:
        contexts = connection.sql(
            "select * from (values ('s', 'd', 0, 20), ('s', 'd', 20, 40), ('s', 'e', 0, 9)) "
            "as t(strategy, doc_id, context_start, context_end)"
        )
        evidence = connection.sql(
            "select * from (values ('q', 1, 'd', 'ab cd', 3), ('q', 2, 'd', 'xy', 10), "
            "('q', 3, 'd', 'abcd', 18), ('q', 4, 'e', 'zz', 0)) "
            "as t(question_id, span_index, doc_id, quote, char_start)"
        )
        rows = cover_table(contexts, evidence).to_pylist()
    assert [row["contexts_for_span"] for row in rows] == [1, 1, 2, 1]
    assert {row["contexts_for_question"] for row in rows} == {3}
