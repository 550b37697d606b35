from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunk_bakeoff.strategies.windows import check_window, windows, windows_of_units


@pytest.mark.parametrize(
    ("length", "size", "overlap", "expected"),
    [
        (0, 4, 0, []),
        (1, 4, 0, [(0, 1)]),
        (10, 4, 0, [(0, 4), (4, 8), (8, 10)]),
        (8, 4, 0, [(0, 4), (4, 8)]),
        # No window of nothing but overlap behind the one that reaches the end.
        (110, 100, 20, [(0, 100), (80, 110)]),
        (100, 100, 20, [(0, 100)]),
        (5, 3, 2, [(0, 3), (1, 4), (2, 5)]),
    ],
)
def test_windows(length, size, overlap, expected):
    assert list(windows(length, size, overlap)) == expected
    assert list(windows_of_units([1] * length, size, overlap)) == expected


def test_windows_do_not_overlap_unless_asked():
    assert list(windows(5, 2)) == list(windows_of_units([1] * 5, 2)) == [(0, 2), (2, 4), (4, 5)]


@pytest.mark.parametrize(
    ("lengths", "size", "overlap", "expected"),
    [
        ([], 5, 0, []),
        ([3, 3, 2, 3, 2], 5, 0, [(0, 1), (1, 3), (3, 5)]),
        # A unit longer than the size stands alone.
        ([1, 9, 1], 5, 0, [(0, 1), (1, 2), (2, 3)]),
        # Of length 2 may be repeated: the unit of length 2 is, that of length 3 is not.
        ([3, 2, 3, 2], 5, 2, [(0, 2), (1, 3), (3, 4)]),
        # Repeating the 2 would leave no room for the 4.
        ([3, 2, 4], 5, 2, [(0, 2), (2, 3)]),
    ],
)
def test_windows_of_units(lengths, size, overlap, expected):
    assert list(windows_of_units(lengths, size, overlap)) == expected


@given(
    lengths=st.lists(st.integers(1, 6), max_size=30),
    size=st.integers(1, 12),
    overlap=st.integers(0, 11),
)
def test_windows_of_units_fit_cover_and_move_on(lengths, size, overlap):
    overlap = min(overlap, size - 1)
    found = list(windows_of_units(lengths, size, overlap))
    assert {i for start, end in found for i in range(start, end)} == set(range(len(lengths)))
    for start, end in found:
        assert end - start == 1 or sum(lengths[start:end]) <= size
    for (start, end), (following, further) in pairwise(found):
        assert start < following <= end < further
        assert sum(lengths[following:end]) <= overlap


@pytest.mark.parametrize(
    ("size", "overlap", "complaint"),
    [
        (0, 0, "size must be at least 1, not 0"),
        (-1, 0, "size must be at least 1, not -1"),
        (10, 10, r"overlap must be at least 0 and smaller than size \(10\), not 10"),
        (10, 11, "overlap"),
        (10, -1, "overlap"),
    ],
)
def test_windows_that_would_not_move_on_are_refused(size, overlap, complaint):
    for refusing in (check_window, lambda *w: list(windows(0, *w))):
        with pytest.raises(ValueError, match=complaint):
            refusing(size, overlap)
    with pytest.raises(ValueError, match=complaint):
        list(windows_of_units([], size, overlap))
