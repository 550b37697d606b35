import pytest

from chunk_bakeoff.documents import Document, canonical_text


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("\ufeff# Title", "# Title"),
        ("\ufeff\ufeffTwo", "\ufeffTwo"),
        ("In\ufeffside", "In\ufeffside"),
        ("a\r\nb\rc\n", "a\r\nb\rc\n"),
        ("", ""),
    ],
)
def test_only_a_leading_byte_order_mark_is_dropped(raw, expected):
    assert canonical_text(raw) == expected


def test_link_definitions_are_dropped_with_their_line_break():
    raw = "Text [a].\n[a]: https://x.test/1\n[b c]:\nmore\n [d]: kept\n[e]: last"
    assert canonical_text(raw, ["drop_link_definitions"]) == "Text [a].\nmore\n [d]: kept\n"


def test_line_endings_are_normalized_when_asked():
    assert canonical_text("a\r\nb\rc\n\r\n", ["normalize_line_endings"]) == "a\nb\nc\n\n"


def test_steps_run_in_the_order_given():
    raw = "x\r[a]: y\rz"
    steps = ["normalize_line_endings", "drop_link_definitions"]
    # Without line feeds the definition stands in the middle of a line.
    assert canonical_text(raw, steps) == "x\nz"
    assert canonical_text(raw, steps[::-1]) == "x\n[a]: y\nz"


@pytest.mark.parametrize(
    ("raw", "complaint"),
    [("left\x00right", "NUL at position 4"), ("bad \ud83d here", "lone surrogate at position 4")],
)
def test_what_cannot_be_stored_is_refused(raw, complaint):
    with pytest.raises(ValueError, match=complaint):
        canonical_text(raw)


def test_unknown_step():
    with pytest.raises(ValueError, match="'tidy'; known: drop_link_definitions, normalize_line"):
        canonical_text("x", ["tidy"])


@pytest.mark.parametrize(
    ("media_type", "expected"),
    [("text/markdown", True), ("text/x-markdown", True), ("text/plain", False)],
)
def test_media_type(media_type, expected):
    assert Document("", media_type=media_type).is_markdown is expected
