"""Texts that are hard to cut: scripts without spaces, marks, emoji, odd white space, Markdown."""

from random import Random

from hypothesis import strategies as st

WORDS = ["a", "the", "river", "stone", "unbelievably", "12,50", "e.g.", "x" * 30, "z" * 120]
MARKS = [".", "!", "?", ",", " .", ". ", "。", "؟", "-", "…"]
WHITE = [" ", "  ", "\n", "\n\n", "\r\n", "\r\n\r\n", "\r", "\t", "\x0b", "\x85", "\xa0", "\u3000"]
SEPARATORS = ["\u2028", "\u2029", "\u200b", "\u00ad", "\ufeff", "\ufffd", "\x7f", "\u200d"]
SCRIPTS = [
    "山路在五月开放",
    "ひらがなだけ",
    "한국어문서",
    "ร้านเปิดเก้าโมงเช้า",
    "متى يفتح",
    "नमस्ते",
    "e\u0301",
    "\u0301",
    "👨\u200d👩\u200d👦",
    "👍🏽",
    "🚀",
    "İ",
    "ﬁ",
    "\U0001d157\U0001d165",
]
MARKDOWN = [
    "# One\n",
    "## Two ##\n",
    "\n\n### Three > four\n\n",
    "Set\n===\n",
    "```\n# no heading\n```\n",
    "- item\n",
    "> # quoted\n",
    "| a | b |\n|---|---|\n| 1 | 2 |\n",
    "---\n",
    "<!--\n# no\n-->\n",
]
# `str.strip` takes these for white space, the Unicode property does not.
INFORMATION_SEPARATORS = ["\x1c", "\x1d", "\x1e", "\x1f"]


def texts(*, more: list[str] = INFORMATION_SEPARATORS, longest: int = 40) -> st.SearchStrategy[str]:
    """Random texts without NUL and surrogates, which no document may hold."""
    fragments = [*WORDS, *MARKS, *WHITE, *SEPARATORS, *SCRIPTS, *MARKDOWN, *more]
    any_character = st.characters(
        exclude_categories=("Cs",), exclude_characters=["\x00", *INFORMATION_SEPARATORS]
    )
    # Spaces come often, or most texts would be one long word.
    piece = st.one_of(
        st.sampled_from(fragments), st.sampled_from(WHITE), st.text(any_character, max_size=4)
    )
    return st.lists(piece, max_size=longest).map("".join)


def random_text(random: Random, longest: int = 40) -> str:
    """One random text of the same fragments; a seed gives the same texts for ever."""
    fragments = [*WORDS, *MARKS, *SEPARATORS, *SCRIPTS, *MARKDOWN, *INFORMATION_SEPARATORS]
    return "".join(
        random.choice(random.choice((fragments, WORDS, WHITE, WHITE)))
        for _ in range(random.randrange(longest))
    )


def is_white(character: str) -> bool:
    """The Unicode property White_Space, said with Python's own tables."""
    return character.isspace() and character not in INFORMATION_SEPARATORS


def uncovered(text: str, spans: list[tuple[int, int]]) -> str:
    """The characters outside all spans that are not white space."""
    covered = {position for start, end in spans for position in range(start, end)}
    return "".join(
        character
        for position, character in enumerate(text)
        if position not in covered and not is_white(character)
    )
