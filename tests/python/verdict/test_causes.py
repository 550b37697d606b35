"""What the causes of a miss rest on, worked out by hand."""

from __future__ import annotations

import pandas as pd


def reading_inputs(read_characters: int) -> dict[str, pd.DataFrame]:
    """A span at [100, 120) in a chunk [90, 130) that is embedded behind a prefix of ten."""
    body = "b" * 40
    chunk = {"doc_id": "d", "char_start": 90, "char_end": 130, "body": body}
    chunk |= {"context_start": 90, "context_end": 130, "embed_text": "p" * 10 + body}
    outside = {"char_start": 0, "char_end": 40, "context_start": 0, "context_end": 200}
    return {
        "int_scored_spans": pd.DataFrame(
            [{"question_id": "q", "span_index": 1, "doc_id": "d", "char_start": 100}]
        ).assign(char_end=120),
        "int_chunks": pd.DataFrame(
            [
                {**chunk, "strategy": "cut", "chunk_id": "1", "embedding_key": "long"},
                # A child whose context delivers the span, while it holds nothing of it itself.
                {**chunk, **outside, "strategy": "child", "chunk_id": "2", "embedding_key": "x"},
            ]
        ),
        "int_embedding_models": pd.DataFrame({"embedding_model": ["reads all", "stops"]}),
        "int_read_characters": pd.DataFrame(
            [{"embedding_model": "stops", "embedding_key": "long"}]
        ).assign(read_characters=read_characters),
    }


def test_evidence_is_unread_when_the_model_stopped_at_its_first_character(run_model):
    # Ten characters of prefix and ten of the body are read: up to 100, where the span begins.
    for read, is_unread in ((20, True), (21, False)):
        rows = run_model("int_span_reading", reading_inputs(read))
        found = {(r.strategy, r.embedding_model): r for r in rows.itertuples()}
        assert found["cut", "stops"].is_unread == is_unread
        assert not found["cut", "reads all"].is_unread
        assert not found["child", "stops"].is_unread


def test_evidence_is_visible_where_the_asker_may_see_all_of_it(run_model):
    """The span is [100, 109), its white space at 104."""
    contexts = {
        "whole": [(90, 120, "public")],
        "closed": [(90, 120, "people")],
        # Nothing but the white space is between them.
        "apart": [(90, 104, "public"), (105, 120, "public")],
        "half": [(90, 104, "public"), (104, 120, "people")],
        "tail": [(100, 108, "public"), (90, 120, "people")],
        "middle": [(90, 102, "public"), (100, 107, "people"), (106, 120, "public")],
        # What is hidden, others hold as well.
        "twice": [(90, 106, "public"), (100, 120, "people"), (105, 120, "public")],
        # The strategy has left out the end; the asker may see what there is.
        "left out": [(90, 104, "public")],
    }
    chunks = [
        {"strategy": name, "doc_id": "d", "context_start": start, "context_end": end}
        | {"access_key": key}
        for name, places in contexts.items()
        for start, end, key in places
    ]
    span = {"question_id": "q", "span_index": 1, "doc_id": "d", "char_start": 100, "char_end": 109}
    rows = run_model(
        "int_span_visibility",
        {
            "int_scored_spans": pd.DataFrame([{**span, "quote": "open gate"}]),
            "int_chunks": pd.DataFrame(chunks),
            "int_question_visibility": pd.DataFrame([{"question_id": "q", "access_key": "public"}]),
        },
    ).set_index("strategy")
    assert set(rows.index[rows["is_visible"]]) == {"whole", "apart", "twice", "left out"}
    assert len(rows) == 8


def test_a_context_repeats_another_by_half_its_characters_or_by_its_text(run_model):
    rows = repeated_contexts(run_model, gold=("x", 0, 40))
    assert rows == {2: 20, 4: 40}


def test_what_brings_a_piece_of_the_evidence_repeats_nothing(run_model):
    # The context at rank 2 is [50, 150): half of it repeats, the rest begins the evidence.
    assert repeated_contexts(run_model, gold=("d", 149, 160)) == {4: 40}
    # Evidence ends where a context begins.
    assert repeated_contexts(run_model, gold=("d", 40, 50)) == {2: 20, 4: 40}


def repeated_contexts(run_model, gold: tuple[str, int, int]) -> dict[int, int]:
    """Tokens by rank of the contexts that repeat others; a context has ten tokens a rank."""
    places = [
        ("d", 0, 100, "one text"),
        # Half of it lies in the first.
        ("d", 50, 150, "two"),
        # 51 of 201 characters lie in the second.
        ("d", 99, 300, "three"),
        # Elsewhere, but the same text as the first.
        ("e", 0, 40, "one text"),
        ("f", 0, 40, "four"),
        # Delivered wider than it was cut: its text is not that of the chunk.
        ("g", 0, 90, "one text"),
        # The evidence came at rank 7: what follows crowded nothing out.
        ("h", 0, 40, "five"),
        ("d", 0, 100, "one text"),
    ]
    retrievals, chunks = [], []
    for rank, (doc_id, start, end, text) in enumerate(places, 1):
        place = {"strategy": "s", "chunk_id": f"c{rank}", "doc_id": doc_id}
        retrievals.append(
            {**place, "config_id": "c", "question_id": "q", "rank": rank}
            | {"context_start": start, "context_end": end, "context_tokens": 10 * rank}
        )
        cut_end = 40 if doc_id == "g" else end
        chunks.append(
            {**place, "context_start": start, "context_end": cut_end, "context_text": text}
        )
    rows = run_model(
        "int_repeated_contexts",
        {
            "fct_retrievals": pd.DataFrame(retrievals),
            "int_chunks": pd.DataFrame(chunks),
            "int_missed_spans": pd.DataFrame(
                [{"config_id": "c", "question_id": "q", "found_at_rank": 7}]
            ),
            "int_gold_regions": pd.DataFrame(
                [("q", *gold)], columns=["question_id", "doc_id", "gold_start", "gold_end"]
            ),
        },
    )
    return dict(zip(rows["rank"], rows["context_tokens"], strict=True))
