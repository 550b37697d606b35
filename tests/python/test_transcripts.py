from chunk_bakeoff.documents import Document
from chunk_bakeoff.strategies import transcripts

CALL = (
    "Call of 3 May\nOn the line: Ana, Ben\n\n"
    "[00:00:01] Ana: Budget first.\n"
    "[00:00:09] Ben: I would rather keep the price. We promised it.\nNote: twice.\n"
    "[00:00:21] Ana: Noted.\n"
)


def test_turns_with_timestamps():
    found = [(t.speaker, CALL[t.start : t.end]) for t in transcripts.turns(CALL)]
    assert found == [
        ("", "Call of 3 May\nOn the line: Ana, Ben"),
        ("Ana", "[00:00:01] Ana: Budget first."),
        (
            "Ben",
            "[00:00:09] Ben: I would rather keep the price. We promised it.\nNote: twice.",
        ),
        ("Ana", "[00:00:21] Ana: Noted."),
    ]


def test_turns_without_timestamps_and_in_bold():
    text = "Ana: Hello.\n**Ben K.:** Hi.\nStill Ben.\n"
    found = [(t.speaker, text[t.start : t.end]) for t in transcripts.turns(text)]
    assert found == [("Ana", "Ana: Hello."), ("Ben K.", "**Ben K.:** Hi.\nStill Ben.")]


def test_turns_are_merged_but_not_cut(sizing):
    chunks = list(transcripts.cut(Document(CALL), sizing=sizing, size=45))
    bodies = [CALL[c.start : c.end] for c in chunks]
    assert [body.split("\n")[0] for body in bodies] == [
        "Call of 3 May",
        "[00:00:09] Ben: I would rather keep the price. We promised it.",
    ]


def test_a_long_turn_names_its_speaker_in_every_part(sizing):
    text = "Ana: " + "stone " * 40
    first, *others = transcripts.cut(Document(text), sizing=sizing, size=20)
    assert first.prefix == ""
    assert {chunk.prefix for chunk in others} == {"Ana:\n"}
    assert text[others[0].start : others[0].end].startswith("stone")
