import pytest

from chunk_bakeoff.documents import Document
from chunk_bakeoff.strategies import hierarchies

TEXT = (
    "# Book\n\n## One\n\nShort.\n\n## Two\n\n### Deep\n\n"
    + "stone " * 30
    + "\n\n### Next\n\nEnd.\n"
)


def contexts(sizing, **settings):
    chunks = hierarchies.cut(Document(TEXT), sizing=sizing, **settings)
    return list(dict.fromkeys(TEXT[slice(*chunk.context)] for chunk in chunks))


def test_whole_sections_are_delivered_without_a_cap(sizing):
    assert [text.split("\n")[0] for text in contexts(sizing)] == ["# Book", "## One", "## Two"]


def test_a_parent_above_the_cap_gives_way_to_the_sections_inside_it(sizing):
    found = contexts(sizing, child_size=16, cap=40)
    assert [text.split("\n")[0] for text in found] == [
        "# Book",
        "## One",
        "## Two",
        "### Deep",
        "### Next",
    ]
    assert found[2] == "## Two"


def test_the_deepest_section_above_the_cap_is_parted(sizing):
    found = contexts(sizing, child_size=10, cap=20)
    assert all(sizing.tokenizer.count_one(text) <= 22 for text in found)
    assert len([text for text in found if "stone" in text]) == 2


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"child_size": 7}, "child_size must be at least 8"),
        ({"deepest": 0}, "heading level"),
        ({"cap": 10}, "cap must be at least child_size"),
    ],
)
def test_bad_settings(sizing, settings, complaint):
    with pytest.raises(ValueError, match=complaint):
        list(hierarchies.cut(Document(""), sizing=sizing, **settings))
