from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunk_bakeoff.documents import Document
from chunk_bakeoff.strategies import semantic
from chunk_bakeoff.units import UnitVectors, units


def at_angles(document, degrees):
    """The document with one vector per unit, at an angle in the plane."""
    spans = units(document)
    assert len(spans) == len(degrees)
    angles = np.radians(degrees)
    return Document(
        document.text,
        units=UnitVectors(
            np.array([span.start for span in spans]),
            np.array([span.end for span in spans]),
            np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32),
        ),
    )


def bodies(cut, document, **settings):
    return [document.text[chunk.start : chunk.end] for chunk in cut(document, **settings)]


def test_units_are_sentences_list_lines_and_whole_fences():
    text = "One. Two!  Three\n- item a. b\n\n```\nx. y\n\nz\n```\nEnd? Yes"
    spans = units(Document(text))
    assert [text[start:end] for start, end in spans] == [
        "One.",
        "Two!",
        "Three",
        "- item a.",
        "b",
        "```\nx. y\n\nz\n```",
        "End?",
        "Yes",
    ]


def test_units_end_at_the_marks_of_other_scripts():
    text = "山路在五月开放。渡轮每天两班\uff01"
    assert [text[a:b] for a, b in units(Document(text))] == [
        "山路在五月开放。",
        "渡轮每天两班\uff01",
    ]


def test_a_cut_falls_where_the_distance_is_above_the_percentile(sizing):
    # Distances of neighbours are 1 - cos of 0, 0, 90, 0 degrees: 0, 0, 1, 0.
    document = at_angles(Document("A a. B b. C c. D d. E e."), [0, 0, 0, 90, 90])
    assert bodies(semantic.cut, document, sizing=sizing) == ["A a. B b. C c.", "D d. E e."]


def test_equal_distances_give_no_cut(sizing):
    document = at_angles(Document("A a. B b. C c."), [0, 30, 60])
    assert bodies(semantic.cut, document, sizing=sizing) == ["A a. B b. C c."]


def test_a_group_stops_at_the_limit_less_six(sizing):
    # A sentence is 83 tokens; three of them and the special tokens are 251, one too many.
    sentence = "stone " * 82 + "."
    document = at_angles(Document(" ".join([sentence] * 3)), [0, 0, 0])
    assert bodies(semantic.cut, document, sizing=sizing) == [f"{sentence} {sentence}", sentence]


def test_clusters_are_the_most_alike_units(sizing):
    document = at_angles(Document("A a. B b. C c. D d. E e."), [0, 5, 90, 95, 100])
    assert bodies(semantic.cut_clusters, document, sizing=sizing) == [
        "A a. B b.",
        "C c. D d. E e.",
    ]


def test_clusters_keep_the_size(sizing):
    # Every sentence is three tokens, and all say the same.
    document = at_angles(Document("A a. B b. C c. D d."), [0, 0, 0, 0])
    assert bodies(semantic.cut_clusters, document, sizing=sizing, size=7) == [
        "A a. B b.",
        "C c. D d.",
    ]


@given(
    st.lists(st.floats(0, 6), min_size=1, max_size=7),
    st.integers(1, 5),
)
def test_the_best_segmentation_is_that_of_all_segmentations(angles, most):
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    number = len(angles)
    longest = np.minimum(np.arange(number) + 1, most)
    similarity = vectors @ vectors.T
    pairs = [similarity[i, j] for j in range(number) for i in range(j) if j - i < longest[j]]
    mean = np.mean(pairs) if pairs else 0.0

    def gain(edges):
        return sum(
            similarity[i, j] - mean
            for first, last in pairwise(edges)
            for j in range(first, last)
            for i in range(first, j)
        )

    every = [
        (0, *inner, number)
        for count in range(number)
        for inner in combinations(range(1, number), count)
    ]
    allowed = [e for e in every if all(b - a <= most for a, b in pairwise(e))]
    found = semantic.best_segments(vectors, longest)
    edges = (*(segment.start for segment in found), number)
    assert edges in allowed
    assert gain(edges) == pytest.approx(max(map(gain, allowed)), abs=1e-9)


def test_documents_without_vectors_are_refused(sizing):
    with pytest.raises(ValueError, match="int_documents_with_units"):
        list(semantic.cut(Document("Some text."), sizing=sizing))
