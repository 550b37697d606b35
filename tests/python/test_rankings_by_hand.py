"""Term overlap, fusions and deliveries on a text small enough to work out by hand."""

import pytest
from small_builds import build

# Windows of four units that share two: w0-w3, w2-w5, w4-w7, w6-w9, w8-w11.
WORDS = " ".join(f"w{n}" for n in range(12))
MORE = " ".join(f"m{n}" for n in range(12))
DOCUMENTS = [
    {"doc_id": "a_words", "text": WORDS},
    # The term x makes this document the longer and rarer match of the second question.
    {"doc_id": "b_other", "text": "x y w9 z"},
    # Children of seven units beside their path: `# Part`, m0-m6, m7-m11; and all of the rest.
    {"doc_id": "c_parts", "text": f"# Part\n\n{MORE}\n\n# Rest\n\nm12 m13"},
]
QUESTIONS = [
    {"question_id": "q1", "question": "W2 w3?", "doc_id": "a_words", "quote": "w2 w3"},
    {"question_id": "q2", "question": "w9 x nowhere unknown", "doc_id": "b_other", "quote": "x y"},
    {"question_id": "q4", "question": "m0 m7 m12", "doc_id": "c_parts", "quote": "m0 m1"},
    {"question_id": "q3", "question": "nothing matches", "answerable": False},
]


DELIVERIES = {
    "merged": {"merge": True},
    "neighbours_1": {"neighbours": 1, "merge": True},
    "two_of_three": {"auto_merge": 0.66, "merge": True},
    "most": {"auto_merge": 0.67, "merge": True},
}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return build(
        tmp_path_factory.mktemp("by_hand"),
        DOCUMENTS,
        QUESTIONS,
        select="+rpt_strategy_leaderboard +int_texts +rpt_reranking",
        embedding_models=[],
        retrievers=["term_overlap", "bm25", "rrf", "weighted", "best_two"],
        fusions={
            "rrf": {"of": ["term_overlap", "bm25"], "method": "rrf", "constant": 60},
            "weighted": {
                "of": ["term_overlap", "bm25"],
                "method": "weighted",
                "weights": [0.75, 0.25],
            },
        },
        rerankers={
            "best_two": {"of": "term_overlap", "top_n": 2, "provider": "overlap", "model": "none"}
        },
        deliveries=["plain", *DELIVERIES],
        delivery_settings=DELIVERIES,
        strategies=["fixed", "parent_child"],
        strategy_variants={
            "fixed": {"windows": {"size": 4, "overlap": 2}},
            "parent_child": {"children": {"child_size": 8, "deepest": 1, "auto_merge": True}},
        },
    )


def ranking(built, question_id, retriever, delivery="plain", strategy="windows"):
    rows = built.rows(f"""
        select
            retrievals.score,
            substring(documents.text, context_start + 1, context_end - context_start)
        from fct_retrievals as retrievals
        inner join stg_documents as documents on retrievals.doc_id = documents.doc_id
        where
            question_id = '{question_id}'
            and strategy = '{strategy}'
            and retriever = '{retriever}'
            and delivery = '{delivery}'
        order by rank
    """)
    return rows


def tokens(built, question_id, delivery, strategy="windows"):
    return built.rows(f"""
        select context_tokens, cumulative_tokens from fct_retrievals
        where
            question_id = '{question_id}'
            and strategy = '{strategy}'
            and retriever = 'term_overlap'
            and delivery = '{delivery}'
        order by rank
    """)


@pytest.mark.slow
def test_term_overlap_is_the_share_of_the_questions_distinct_units(built):
    # Equal scores stand in the order of document and place.
    assert ranking(built, "q1", "term_overlap") == [(1.0, "w0 w1 w2 w3"), (1.0, "w2 w3 w4 w5")]
    assert ranking(built, "q2", "term_overlap") == [
        (0.5, "x y w9 z"),
        (0.25, "w6 w7 w8 w9"),
        (0.25, "w8 w9 w10 w11"),
    ]


@pytest.mark.slow
def test_what_shares_no_unit_is_not_returned(built):
    assert built.rows("select count(*) from fct_retrievals where question_id = 'q3'") == [(0,)]


@pytest.mark.slow
def test_reciprocal_ranks_are_summed(built):
    # Both parts rank alike: 2 / 61, 2 / 62, 2 / 63.
    assert [score for score, _ in ranking(built, "q2", "rrf")] == [0.032787, 0.032258, 0.031746]


@pytest.mark.slow
def test_scores_are_scaled_and_weighted(built):
    # The best of both lists is 1, the lowest 0; all equal is 1.
    assert [score for score, _ in ranking(built, "q2", "weighted")] == [1.0, 0.0, 0.0]
    assert [score for score, _ in ranking(built, "q1", "weighted")] == [1.0, 1.0]


@pytest.mark.slow
def test_a_reranker_scores_the_first_contexts_and_delivers_no_other(built):
    # The share of the passage that the question holds; the third window is not read.
    assert ranking(built, "q2", "best_two") == [(0.5, "x y w9 z"), (0.25, "w6 w7 w8 w9")]
    before_and_after = built.rows("""
        select mrr_before, mrr, pairs_per_question, added_seconds_per_question >= 0
        from rpt_reranking
        where strategy = 'windows' and delivery = 'plain'
    """)
    # Every first context holds its evidence, before and after.
    assert before_and_after == [(1.0, 1.0, 2.0, True)]


@pytest.mark.slow
def test_plain_delivery_counts_the_overlap_twice(built):
    assert tokens(built, "q1", "plain") == [(4, 4), (4, 8)]


@pytest.mark.slow
def test_merged_contexts_are_counted_once(built):
    # w0 to w5 are six units.
    assert tokens(built, "q1", "merged") == [(4, 4), (2, 6)]
    # Another document first, then w6-w9, then w10 and w11.
    assert tokens(built, "q2", "merged") == [(4, 4), (4, 8), (2, 10)]


@pytest.mark.slow
def test_neighbours_are_delivered_and_merged(built):
    # w0-w5 (the window and the next), then up to w7.
    assert tokens(built, "q1", "neighbours_1") == [(6, 6), (2, 8)]
    texts = [text for _, text in ranking(built, "q1", "term_overlap", "neighbours_1")]
    assert texts == ["w0 w1 w2 w3 w4 w5", "w0 w1 w2 w3 w4 w5 w6 w7"]


@pytest.mark.slow
def test_what_is_merged_is_not_repeated(built):
    # w2 and w3 are delivered twice: 5 of 22 characters.
    shares = built.rows("""
        select delivery, round(1 - distinct_characters / characters, 6)
        from int_delivery_by_k
        inner join int_configurations using (config_id)
        where
            question_id = 'q1' and k = 3 and strategy = 'windows' and retriever = 'term_overlap'
            and delivery in ('plain', 'merged')
        order by delivery
    """)
    assert shares == [("merged", 0.0), ("plain", round(5 / 22, 6))]


@pytest.mark.slow
def test_a_parent_takes_the_place_of_its_children_where_enough_are_found(built):
    # Two of the three children of the part are found, and the only one of the rest.
    assert tokens(built, "q4", "plain", "children") == [(7, 7), (5, 12), (3, 15)]
    assert tokens(built, "q4", "most", "children") == [(7, 7), (5, 12), (3, 15)]
    # The heading comes along: 13 units at once, nothing for the second child, then the rest.
    assert tokens(built, "q4", "two_of_three", "children") == [(13, 13), (0, 13), (3, 16)]
    texts = [text for _, text in ranking(built, "q4", "term_overlap", "two_of_three", "children")]
    assert texts == [f"# Part\n\n{MORE}", f"# Part\n\n{MORE}", "# Rest\n\nm12 m13"]


@pytest.mark.slow
def test_every_mart_says_what_it_counts(built):
    for mart in ("fct_retrievals", "fct_metrics", "rpt_strategy_leaderboard"):
        assert built.rows(f"select distinct count_unit from {mart}") == [("lexical units",)]


@pytest.mark.slow
def test_nothing_is_embedded_without_a_retriever_that_ranks_vectors(built):
    assert built.rows("select count(*) from int_texts") == [(0,)]
