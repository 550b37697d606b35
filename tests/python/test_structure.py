import pytest

from chunk_bakeoff.chunk import Chunk, Sizing
from chunk_bakeoff.documents import Document
from chunk_bakeoff.strategies import small_to_big, structure, whole_sections

GUIDE = "Intro.\n\n# Pump\n\n## Install\n\nBolt it.\n\n## Notes\n\nOil.\n"


def test_one_chunk_per_section_with_its_path_in_front(sizing):
    assert list(structure.cut(Document(GUIDE), sizing=sizing)) == [
        Chunk(0, 6),
        Chunk(8, 14, "Pump", prefix="Pump\n", context_prefix="Pump\n"),
        Chunk(
            16, 36, "Pump > Install", prefix="Pump > Install\n", context_prefix="Pump > Install\n"
        ),
        Chunk(38, 52, "Pump > Notes", prefix="Pump > Notes\n", context_prefix="Pump > Notes\n"),
    ]


def test_without_path_the_text_is_the_slice_alone(sizing):
    assert list(structure.cut(Document(GUIDE), sizing=sizing, path=False)) == [
        Chunk(0, 6),
        Chunk(8, 14, "Pump"),
        Chunk(16, 36, "Pump > Install"),
        Chunk(38, 52, "Pump > Notes"),
    ]


def test_a_long_section_is_split_within_what_the_path_leaves(sizing):
    # limit 256 - 6 = 250, minus [CLS] long [SEP] = 247 content tokens; without path 248.
    text = "# Long\n\n" + "river " * 600
    for path, size in ((True, 247), (False, 248)):
        chunks = list(structure.cut(Document(text), sizing=sizing, path=path))
        rivers = [text[chunk.start : chunk.end].count("river") for chunk in chunks]
        assert sum(rivers) == 600
        assert max(rivers) == size
        counts = sizing.tokenizer.count([c.prefix + text[c.start : c.end] for c in chunks])
        assert max(count.tokens for count in counts) == 250


def test_other_documents_are_one_section(sizing):
    document = Document("# no heading\n\ntext", media_type="text/plain")
    assert list(structure.cut(document, sizing=sizing)) == [Chunk(0, 18)]
    assert list(whole_sections.cut(document)) == [Chunk(0, 18)]


@pytest.mark.parametrize(
    ("path", "most", "expected"),
    [
        # Each word and each ">" is a token, two are special.
        ("one > two > three", 7, "one > two > three"),
        ("one > two > three", 6, "two > three"),
        ("one > two > three", 4, "three"),
        ("one > two > three", 2, ""),
        ("", 0, ""),
    ],
)
def test_outer_headings_of_a_long_path_are_left_out(tokenizer, path, most, expected):
    assert structure.fitting_path(path, tokenizer, most) == expected


def test_the_path_takes_at_most_half_of_the_budget(sizing):
    title = " ".join(["word"] * 124)
    text = f"# {title}\n\n## End\n\ntext\n"
    first, second = structure.cut(Document(text), sizing=sizing)
    # 126 tokens with the special ones are more than 250 / 2.
    assert (first.prefix, first.heading_path) == ("", title)
    assert (second.prefix, second.heading_path) == ("End\n", f"{title} > End")


def test_children_stand_inside_their_section_and_carry_its_path(sizing):
    text = "# Pump\n\n" + "river stone. " * 40
    children = list(small_to_big.cut(Document(text), sizing=sizing))
    (parent,) = structure.cut(Document(text), sizing=sizing)
    assert len(children) > 1
    for child in children:
        assert child.context == (parent.start, parent.end)
        assert (child.prefix, child.context_prefix) == ("Pump\n", "Pump\n")
        assert child.heading_path == "Pump"
    # 64 tokens less "[CLS] pump [SEP]" leave 61 of the 120. The heading is a child of its own,
    # because what follows it is split at a finer separator.
    counts = sizing.tokenizer.count([c.prefix + text[c.start : c.end] for c in children])
    assert [count.tokens for count in counts] == [5, 64, 62]


def test_a_long_path_does_not_grind_its_children_to_characters(sizing):
    title = " ".join(["word"] * 70)
    text = f"# {title}\n\n## Part\n\n" + "river " * 100
    children = [
        child
        for child in small_to_big.cut(Document(text), sizing=sizing)
        if text[child.start : child.end].startswith("river")
    ]
    # The outer heading is left out in the child: [CLS] part [SEP] leave 61 of 64 tokens.
    assert [text[c.start : c.end].count("river") for c in children] == [61, 39]
    assert {child.prefix for child in children} == {"Part\n"}
    assert {child.context_prefix for child in children} == {f"{title} > Part\n"}


def test_child_size_too_small(sizing):
    with pytest.raises(ValueError, match="child_size must be at least 8, not 7"):
        list(small_to_big.cut(Document(""), sizing=sizing, child_size=7))


def test_a_parent_is_split_before_its_children(tokenizer):
    text = "# A\n\n" + "river " * 50
    children = list(small_to_big.cut(Document(text), sizing=Sizing(tokenizer, 40), child_size=16))
    contexts = sorted({child.context for child in children})
    assert len(contexts) == 3
    for child in children:
        assert child.context[0] <= child.start < child.end <= child.context[1]


def test_whole_sections():
    text = "# A\n\n### deep\n\na\n\n## B\n\nb\n"
    assert list(whole_sections.cut(Document(text))) == [
        Chunk(0, 16, "A"),
        Chunk(18, 25, "A > B"),
    ]
    assert [(c.start, c.end) for c in whole_sections.cut(Document(text), deepest=1)] == [(0, 25)]


def test_children_of_whole_sections():
    text = "# A\nabcdef\n## B\ngh\n"
    assert list(whole_sections.cut_children(Document(text), child_size=6)) == [
        Chunk(0, 6, "A", context=(0, 10)),
        Chunk(6, 10, "A", context=(0, 10)),
        Chunk(11, 17, "A > B", context=(11, 18)),
        Chunk(17, 18, "A > B", context=(11, 18)),
    ]
    overlapping = whole_sections.cut_children(Document(text), child_size=6, child_overlap=2)
    assert [(c.start, c.end) for c in overlapping] == [(0, 6), (4, 10), (11, 17), (15, 18)]


def test_blank_sections_and_windows_are_left_out():
    text = "\n\n# A" + " " * 8 + "b"
    assert [(c.start, c.end) for c in whole_sections.cut(Document(text))] == [(2, 14)]
    children = whole_sections.cut_children(Document(text), child_size=4)
    assert [(c.start, c.end) for c in children] == [(2, 6), (10, 14)]


@pytest.mark.parametrize("deepest", [0, 7])
def test_levels_that_do_not_exist(deepest):
    for cut in (
        whole_sections.cut,
        lambda *a, **k: whole_sections.cut_children(*a, child_size=9, **k),
    ):
        with pytest.raises(ValueError, match="a heading level from 1 to 6"):
            list(cut(Document(""), deepest=deepest))


def test_children_that_would_not_move_on():
    with pytest.raises(ValueError, match="overlap"):
        list(whole_sections.cut_children(Document(""), child_size=9, child_overlap=9))
