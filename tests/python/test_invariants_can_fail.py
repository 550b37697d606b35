"""Every data test of the project can fail.

A small corpus is built once. Each case breaks one invariant in a copy of that database and expects
its dbt test to fail, and no other.
"""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import pytest
from dbt.adapters.duckdb.connections import DuckDBConnectionManager
from dbt.cli.main import dbtRunner
from support import REPO

FIXTURES = REPO / "tests" / "fixtures" / "invariants"

# States what a formula gives, whatever the tables hold.
OF_A_FORMULA = "wilson_bounds_are_the_published_ones"


@dataclass(frozen=True)
class Break:
    """How an invariant is broken.

    `also` names tests that any such break must fail as well. A break that a variant declares fails
    no test of its own.
    """

    test: str | None
    sql: str
    why: str = ""
    also: frozenset[str] = frozenset()

    @property
    def failing(self) -> set[str]:
        return {self.test, *self.also} - {None}

    def __str__(self) -> str:
        return "-".join(part for part in (self.test, self.why) if part).replace(" ", "_")


# The ranking of a question that has no outcomes, so that changes of it touch nothing else.
RANKING = "config_id = 'windows/dense/hashing/plain' and question_id = 'unanswerable'"
LAST = f"{RANKING} and rank = (select max(rank) from fct_retrievals where {RANKING})"
A_VECTOR = (
    "text_kind = 'passage' and embedding_key = (select min(embedding_key) from int_texts where "
    "text_kind = 'passage')"
)
# A slice that is not on the leaderboard.
WH = (
    "config_id = 'windows/dense/hashing/plain' and label_kind = 'span' "
    "and slice_kind = 'question_form' and slice_value = 'wh'"
)
BLOCKED = "question_id = 'blocked'"
ONE_LONG_CHUNK = """
    update int_chunk_tokens set over_limit = true
    where strategy = 'windows'
        and chunk_id = (select min(chunk_id) from int_chunks where strategy = 'windows');
"""
DECLARED_OVER_LIMIT = """
    update int_chunks set settings = '{"size": 16, "declares": ["over_limit"]}'
    where strategy = 'windows';
"""
# Cut off at the end of the window before it; the window behind it covers the rest.
ONE_NESTED_CHUNK = """
    update int_chunks as inner_one
    set char_end = outer_one.char_end,
        body = left(inner_one.body, outer_one.char_end - inner_one.char_start)
    from int_chunks as outer_one
    where inner_one.strategy = 'overlapping' and outer_one.strategy = 'overlapping'
        and inner_one.doc_id = 'tide_table' and outer_one.doc_id = 'tide_table'
        and inner_one.chunk_index = 1 and outer_one.chunk_index = 0;
"""

CHUNKS = [
    Break(
        "every_chunk_is_an_exact_slice",
        "update int_chunks set body = replace(body, 'sluice', 'Sluice')",
        "a body of other letters",
    ),
    Break(
        "every_chunk_is_an_exact_slice",
        "update int_chunks set context_text = replace(context_text, 'hornbeam', 'Hornbeam')",
        "a context of other letters",
    ),
    Break(
        "every_chunk_is_an_exact_slice",
        """
        update int_chunks set char_start = char_start + 1, char_end = char_end + 1
        where strategy = 'windows' and doc_id = 'tide_table' and chunk_index = 1
        """,
        "offsets that are one too large",
    ),
    Break(
        "every_character_is_covered_by_every_strategy",
        """
        update int_chunks set char_end = char_end - 1, body = left(body, length(body) - 1)
        where strategy = 'windows' and doc_id = 'tide_table' and chunk_index = (
            select max(chunk_index) from int_chunks
            where strategy = 'windows' and doc_id = 'tide_table'
        )
        """,
        "without the last character",
    ),
    Break(
        "every_character_is_covered_by_every_strategy",
        "insert into stg_documents by name select 'new' as doc_id, 'New.' as text, [] as acl",
        "a document that no strategy cuts",
    ),
    Break("no_chunk_lies_inside_another", ONE_NESTED_CHUNK),
    Break(
        None,
        ONE_NESTED_CHUNK
        + """
        update int_chunks set settings = '{"size": 16, "declares": ["nested"]}'
        where strategy = 'overlapping'
        """,
        "nested chunks that are declared",
    ),
    Break(
        "chunk_starts_never_decrease",
        """
        update int_chunks set chunk_index = 1 - chunk_index
        where strategy = 'windows' and doc_id = 'tide_table' and chunk_index in (0, 1)
        """,
    ),
    Break(
        "chunk_indexes_have_no_gaps",
        """
        update int_chunks set chunk_index = chunk_index + 1
        where strategy = 'windows' and doc_id = 'tide_table' and chunk_index = (
            select max(chunk_index) from int_chunks
            where strategy = 'windows' and doc_id = 'tide_table'
        )
        """,
    ),
    Break(
        "no_chunk_is_blank",
        """
        insert into int_chunks
        select chunks.* replace (
            'blank' as chunk_id, 'blank' as context_id, 'blank' as embedding_key,
            chunks.chunk_index + 1 as chunk_index,
            length(documents.text) - 1 as char_start, length(documents.text) as char_end,
            length(documents.text) - 1 as context_start, length(documents.text) as context_end,
            chr(10) as body, chr(10) as embed_text, chr(10) as context_text
        )
        from int_chunks as chunks inner join stg_documents as documents using (doc_id)
        where chunks.strategy = 'windows' and doc_id = 'mill_handbook'
        order by chunks.chunk_index desc limit 1
        """,
        "the line break at the end of a document",
    ),
    Break(
        "every_chunk_fits_its_model",
        ONE_LONG_CHUNK,
        also=frozenset({"every_chunk_is_read_to_its_end"}),
    ),
    Break(
        "every_chunk_is_read_to_its_end",
        ONE_LONG_CHUNK + DECLARED_OVER_LIMIT,
        "although it is declared",
    ),
    Break(
        "every_chunk_is_read_to_its_end",
        """
        insert into int_chunk_tokens
        select * replace ('another' as embedding_model, true as over_limit)
        from int_chunk_tokens limit 1
        """,
        "too long for a model that it is not sized for",
    ),
    Break(
        "every_chunk_is_of_words_its_model_knows",
        "update int_chunk_tokens set is_mostly_unknown = true where strategy = 'windows'",
    ),
    Break(
        "chunk_ids_are_unique_within_a_strategy",
        # A child that is never the best one of its parent takes the id of one that is.
        """
        update int_chunks set chunk_id = (
            select min(chunk_id) from fct_retrievals where strategy = 'children'
        )
        where strategy = 'children' and chunk_id = (
            select min(chunk_id) from int_chunks
            where strategy = 'children' and chunk_id not in (select chunk_id from fct_retrievals)
        )
        """,
    ),
    Break(
        "a_context_id_names_one_text",
        """
        update int_chunks set context_text = 'Also: ' || context_text
        where strategy = 'children' and chunk_index = 0 and doc_id = 'mill_handbook'
        """,
    ),
    Break(
        "every_chunk_is_counted_once_per_embedding_model",
        "insert into int_chunk_tokens select * from int_chunk_tokens limit 1",
    ),
    Break("every_listed_strategy_cuts_chunks", "delete from structure"),
    Break("every_strategy_comes_from_one_model", "update structure set strategy = 'windows'"),
]

EMBEDDINGS = [
    Break(
        "every_text_is_needed_once",
        "insert into int_needed_texts select * from int_needed_texts limit 1",
    ),
    Break(
        "a_text_is_a_passage_or_a_query",
        f"""
        insert into int_needed_texts
        select * replace ('title' as text_kind) from int_needed_texts where {A_VECTOR};
        insert into embedding_store
        select * replace ('title' as text_kind) from embedding_store where {A_VECTOR};
        """,
    ),
    Break(
        "every_needed_text_has_a_vector_or_a_reason",
        f"delete from embedding_store where {A_VECTOR}",
    ),
    Break(
        "every_text_of_today_could_be_embedded",
        f"""
        delete from embedding_store where {A_VECTOR};
        insert into embedding_failures by name
        select
            embedding_model, model_revision, text_kind, embedding_key, 'too odd' as reason,
            now() at time zone 'utc' as failed_at, 'a run' as run_id
        from int_texts where {A_VECTOR};
        """,
    ),
    Break(
        None,
        f"""
        insert into embedding_failures by name
        select
            embedding_model, model_revision, text_kind, embedding_key, 'too odd' as reason,
            now() at time zone 'utc' as failed_at, 'a run' as run_id
        from int_texts where {A_VECTOR};
        """,
        "a failure that a later run made good",
    ),
    *(
        Break(
            "every_vector_is_usable",
            f"update embedding_store set embedding = {vector} where {A_VECTOR}",
            why,
        )
        for why, vector in {
            "too long": "list_transform(embedding, lambda x: cast(x * 1.01 as float))",
            "zero": "list_transform(embedding, lambda x: cast(0 as float))",
            "not a number": "list_concat([cast('nan' as float)], embedding[2:])",
            "infinite": "list_concat([cast('inf' as float)], embedding[2:])",
            "of another dimension": "list_concat(embedding, [cast(0 as float)])",
        }.items()
    ),
    Break(
        "every_text_has_one_vector_at_most",
        f"insert into embedding_store select * from embedding_store where {A_VECTOR}",
        # A view joins the texts to the stored vectors.
        also=frozenset({"every_text_is_needed_once"}),
    ),
    Break(
        "every_needed_text_is_counted",
        f"update int_needed_texts set token_count = null where {A_VECTOR}",
    ),
    Break(
        "every_run_has_one_bill_per_model",
        "insert into embedding_runs select * from embedding_runs limit 1",
    ),
    *(
        Break(f"{table}_has_its_grain", f"insert into {table} select * from {table} limit 1")
        for table in ("embedding_usage", "rpt_embedding_costs")
    ),
]

GOLDEN_SET = [
    Break(
        "every_document_stands_in_one_row",
        """
        insert into stg_documents by name
        select 'blank' as doc_id, ' ' as text, [] as acl from range(2)
        """,
    ),
    Break(
        "every_document_has_an_id",
        "insert into stg_documents by name select ' ' as text, [] as acl",
    ),
    Break(
        "every_question_stands_in_one_row",
        """
        insert into stg_questions by name
        select 'new' as question_id, 'Why?' as question, ['public'] as groups, false as answerable
        from range(2)
        """,
    ),
    Break(
        "every_question_has_an_id",
        """
        insert into stg_questions by name
        select 'Why?' as question, ['public'] as groups, false as answerable
        """,
    ),
    Break(
        "every_question_is_for_tuning_or_held_out",
        f"update stg_questions set split = 'train' where {BLOCKED}",
    ),
    Break(
        "every_piece_of_evidence_has_a_number_of_its_own",
        f"insert into stg_golden_spans select * from stg_golden_spans where {BLOCKED}",
    ),
    Break(
        "evidence_is_a_span_or_an_anchor",
        f"update stg_golden_spans set label_kind = 'chunk' where {BLOCKED}",
    ),
    Break(
        "evidence_has_a_known_status",
        f"update stg_golden_spans set status = 'lost' where {BLOCKED}",
        also=frozenset({"every_piece_of_evidence_is_found"}),
    ),
    Break(
        "every_piece_of_evidence_is_found",
        f"update stg_golden_spans set status = 'not_found' where {BLOCKED}",
    ),
    Break(
        "anchors_occur_once",
        "update stg_golden_spans set occurrence_count = 2 where label_kind = 'anchor'",
    ),
    Break(
        "unanswerable_questions_have_no_evidence",
        f"update stg_questions set answerable = false where {BLOCKED}",
    ),
    Break(
        "answerable_questions_have_evidence",
        "update stg_questions set answerable = true where question_id = 'unanswerable'",
    ),
]

RETRIEVAL = [
    Break(
        "configurations_have_names_of_their_own",
        "insert into int_configurations select * from int_configurations limit 1",
    ),
    Break(
        "retrievals_belong_to_a_configuration",
        f"""
        insert into fct_retrievals
        select * replace ('unknown' as config_id) from fct_retrievals where {RANKING}
        """,
    ),
    Break(
        "retrievals_answer_a_known_question",
        f"""
        insert into fct_retrievals
        select * replace ('unknown' as question_id) from fct_retrievals where {RANKING}
        """,
    ),
    Break("ranks_have_no_gaps", f"update fct_retrievals set rank = rank + 1 where {LAST}"),
    Break("scores_never_increase_with_rank", f"update fct_retrievals set score = 2 where {LAST}"),
    Break(
        "every_context_is_delivered_once_per_question",
        f"""
        insert into fct_retrievals
        select * replace (
            rank + 1 as rank,
            score - 1 as score,
            cumulative_tokens + context_tokens as cumulative_tokens
        )
        from fct_retrievals where {LAST}
        """,
    ),
    Break(
        "equal_scores_are_in_the_documented_order",
        # Whatever stands below a context that it should precede gets that one's score.
        """
        update fct_retrievals as lower_one
        set score = upper_one.score
        from fct_retrievals as upper_one
        where lower_one.question_id = 'unanswerable' and upper_one.question_id = 'unanswerable'
            and lower_one.config_id = upper_one.config_id
            and lower_one.rank = upper_one.rank + 1
            and (lower_one.doc_id, lower_one.context_start)
                < (upper_one.doc_id, upper_one.context_start)
        """,
    ),
    Break(
        "cumulative_tokens_add_up",
        f"update fct_retrievals set cumulative_tokens = cumulative_tokens + 1 where {LAST}",
    ),
    Break(
        "nobody_is_shown_what_they_may_not_see",
        "update int_asker_groups set groups = ['strangers'] where question_id = 'unanswerable'",
        "other groups",
    ),
    Break(
        "nobody_is_shown_what_they_may_not_see",
        "update stg_documents set acl_deny = ['public'] where doc_id = 'tide_table'",
        "a denied group",
    ),
    Break(
        "nobody_is_shown_what_they_may_not_see",
        "update int_asker_groups set tenant = 'another' where question_id = 'unanswerable'",
        "another tenant",
    ),
    Break(
        "contexts_are_delivered_as_they_were_cut",
        f"update fct_retrievals set context_end = context_end + 1 where {LAST}",
    ),
    Break(
        "rankings_reach_the_largest_k",
        f"delete from fct_retrievals where {RANKING} and rank > 3",
        "three contexts",
    ),
    Break(
        "rankings_reach_the_largest_k",
        f"delete from fct_retrievals where {RANKING}",
        "nothing",
    ),
]

ACCESS = [
    Break(
        "every_asker_has_a_question",
        "insert into int_asker_groups by name select ['public'] as groups",
    ),
    Break(
        "the_groups_of_an_asker_stand_in_one_row",
        f"insert into int_asker_groups select * from int_asker_groups where {BLOCKED}",
    ),
    Break(
        "every_stretch_of_source_has_an_access_list",
        "update int_access_regions set access_key = null where doc_id = 'wages'",
    ),
    Break(
        "every_access_list_of_a_chunk_names_it",
        "insert into int_chunk_access by name select 'windows' as strategy",
    ),
    Break(
        "every_access_list_has_a_key",
        "insert into int_access_lists by name select ['public'] as acl",
    ),
    Break(
        "every_access_list_stands_in_one_row",
        "insert into int_access_lists select * from int_access_lists limit 1",
    ),
    Break(
        "every_member_of_an_audience_is_named",
        "insert into int_audiences by name select 0 as audience",
    ),
    Break(
        "an_asker_is_in_one_audience",
        f"insert into int_audiences select * from int_audiences where {BLOCKED}",
    ),
    Break(
        "questions_without_an_answer_are_of_a_known_kind",
        "update fct_abstention_curve set no_answer_kind = 'odd' where no_answer_kind = 'all'",
    ),
]

OUTCOMES = [
    Break(
        "every_question_has_one_standing_per_label_kind",
        "insert into int_question_labels select * from int_question_labels limit 1",
    ),
    Break(
        "every_question_has_a_known_standing",
        f"update int_question_labels set standing = 'lost' where {BLOCKED}",
    ),
    Break(
        "a_question_counts_once_in_a_slice",
        "insert into int_question_slices select * from int_question_slices limit 1",
    ),
    Break(
        "slices_are_of_a_known_kind",
        f"""
        update int_question_slices set slice_kind = 'mood'
        where {BLOCKED} and slice_kind = 'all'
        """,
    ),
    Break(
        "every_question_has_one_value_per_metric",
        "insert into int_question_metrics select * from int_question_metrics limit 1",
    ),
    Break(
        "every_scored_span_has_one_outcome_per_configuration",
        "delete from fct_span_outcomes where question_id = 'two_spans' and span_index = 2",
        "missing",
    ),
    Break(
        "every_scored_span_has_one_outcome_per_configuration",
        "insert into fct_span_outcomes select * from fct_span_outcomes where label_kind = 'anchor'",
        "twice",
    ),
    Break(
        "every_scored_span_has_one_outcome_per_configuration",
        """
        insert into fct_span_outcomes by name
        select config_id, strategy, retriever, embedding_model, delivery, 'span' as label_kind,
            'blocked' as question_id, 1 as span_index
        from int_configurations
        """,
        "of a question that is not scored",
    ),
    Break(
        "found_at_tokens_are_those_of_the_rank",
        "update fct_span_outcomes set found_at_tokens = found_at_tokens + 1",
        "another number",
    ),
    Break(
        "found_at_tokens_are_those_of_the_rank",
        "update fct_span_outcomes set found_at_tokens = null",
        "none",
    ),
    Break(
        "evidence_is_found_no_later_than_it_is_hit",
        "update fct_span_outcomes set hit_rank = 1 where found_at_rank > 1",
        "hit before it is found",
    ),
    Break(
        "evidence_is_found_no_later_than_it_is_hit",
        """
        update fct_span_outcomes set found_at_rank = null, found_at_tokens = null
        where hit_rank is not null
        """,
        "hit and never found",
    ),
]

METRICS = [
    Break(
        "metrics_belong_to_a_configuration",
        f"""
        insert into fct_metrics
        select * replace ('unknown' as config_id) from fct_metrics where {WH}
        """,
    ),
    Break(
        "every_metric_has_one_value",
        f"insert into fct_metrics select * from fct_metrics where {WH}",
    ),
    Break(
        "metrics_have_known_names",
        f"update fct_metrics set metric = 'luck' where {WH} and metric = 'mrr'",
    ),
    Break(
        "no_more_questions_are_scored_than_given",
        f"update fct_metrics set n_given = n_scored - 1 where {WH} and metric = 'mrr'",
    ),
    Break(
        "intervals_hold_their_value",
        f"update fct_metrics set ci_low = value + 0.01 where {WH} and metric = 'mrr'",
        "too high",
    ),
    Break(
        "intervals_hold_their_value",
        f"update fct_metrics set ci_high = null where {WH} and metric = 'mrr'",
        "none",
    ),
    Break(
        "shares_lie_between_0_and_1",
        f"update fct_metrics set value = 1.5, ci_high = 1.5 where {WH} and metric = 'mrr'",
    ),
    *(
        Break(
            "metrics_never_decrease_with_k",
            f"""
            update fct_metrics set value = 0, ci_low = 0
            where {WH} and metric = '{metric}' and k = 10
            """,
            metric,
        )
        for metric in ("recall", "complete_evidence", "context_tokens")
    ),
    *(
        Break(
            "metrics_never_decrease_with_the_budget",
            f"""
            update fct_metrics set value = 0, ci_low = 0
            where {WH} and metric = '{metric}' and token_budget = 2000
            """,
            metric,
        )
        for metric in ("recall_at_budget", "complete_evidence_at_budget")
    ),
    Break(
        "every_configuration_stands_once_on_the_leaderboard",
        "insert into rpt_strategy_leaderboard select * from rpt_strategy_leaderboard limit 1",
    ),
    Break(
        "every_configuration_is_on_the_leaderboard",
        "delete from rpt_strategy_leaderboard where strategy = 'windows'",
    ),
    *(
        Break(
            "the_leaderboard_repeats_the_metrics",
            f"""
            update rpt_strategy_leaderboard set {column} = {column} + 1
            where strategy = 'windows'
            """,
            column,
        )
        for column in (
            *(f"recall_at_{k}" for k in (1, 3, 5, 10)),
            *("mrr", "recall_at_budget", "context_tokens_at_5", "repeated_share_at_5"),
            *("n_given", "n_scored"),
        )
    ),
]

VERDICT = [
    *(
        Break(f"{table}_has_its_grain", f"insert into {table} select * from {table} limit 1")
        for table in (
            *("fct_comparisons", "fct_graded_comparisons", "fct_flips", "fct_misses"),
            *("fct_recall_curves", "fct_metric_history", "rpt_slices", "rpt_ceiling"),
            *("rpt_strategy_costs", "rpt_decision", "rpt_decision_warnings"),
            *("rpt_golden_coverage", "rpt_golden_questions", "rpt_golden_spans"),
        )
    ),
    Break(
        "hypotheses_expect_more_less_or_equal",
        "insert into rpt_hypotheses by name select 'h' as hypothesis, 'better' as expected",
    ),
    # These have no rows without a sweep, an earlier run or hypotheses.
    *(
        Break(f"{table}_has_its_grain", f"insert into {table} by name select {key} from range(2)")
        for table, key in {
            "rpt_sweep": "'c' as config_id, 'span' as label_kind",
            "rpt_regression": "'c' as config_id, 'span' as label_kind",
            "rpt_reevaluation_triggers": "'drift' as trigger",
            "rpt_hypotheses": "'h' as hypothesis, 'span' as label_kind",
        }.items()
    ),
    Break(
        "families_of_comparisons_are_known",
        "update fct_comparisons set family = 'best friends' where family = 'best'",
    ),
    Break("every_miss_has_a_known_cause", "update fct_misses set cause = 'bad luck'"),
    Break(
        "roles_in_the_decision_are_known",
        "update rpt_decision set role = 'favourite' where role = 'recommended'",
    ),
    Break(
        "shipped_strategy_keeps_its_recall",
        """
        insert into rpt_regression by name
        select
            'c' as config_id, 'span' as label_kind, true as is_accepted, 0.9 as accepted_recall,
            0.5 as recall, 1 as gained, 9 as lost, 0.02 as p_value, true as is_large_fall,
            false as is_significant_fall
        """,
    ),
]

SEEDS = [
    Break(
        "not_null_miss_causes_cause",
        "insert into miss_causes by name select 99 as precedence",
    ),
    Break(
        "not_null_miss_causes_precedence",
        "insert into miss_causes by name select 'new' as cause",
    ),
    Break(
        "unique_miss_causes_cause",
        "insert into miss_causes by name select cause, 99 as precedence from miss_causes limit 1",
    ),
    Break(
        "unique_miss_causes_precedence",
        """
        insert into miss_causes by name
        select 'new' as cause, precedence from miss_causes limit 1
        """,
    ),
]

OF_A_SMALL_CORPUS = [
    *(*CHUNKS, *EMBEDDINGS, *GOLDEN_SET, *RETRIEVAL, *ACCESS, *OUTCOMES, *METRICS, *VERDICT, *SEEDS)
]

OF_THE_BUNDLED_CORPUS = [
    *(
        Break(f"not_null_{seed}_{column}", f"update {seed} set {column} = null")
        for seed, columns in {
            "hypotheses": ("hypothesis", "metric", "strategy_a", "strategy_b", "expected"),
            "search_failures": ("failure_id", "query"),
        }.items()
        for column in columns
    ),
    *(
        Break(f"unique_{seed}_{key}", f"insert into {seed} select * from {seed} limit 1")
        for seed, key in {"hypotheses": "hypothesis", "search_failures": "failure_id"}.items()
    ),
    Break(
        "every_member_is_named",
        "insert into group_members by name select 'public' as group_name",
    ),
    Break(
        "every_group_with_members_is_named",
        "insert into group_members by name select 'managers' as member",
    ),
    Break("fact_ids_are_unique", "insert into raw_facts select * from raw_facts limit 1"),
    Break(
        "every_fact_is_quoted_once_in_its_document",
        """
        update raw_documents set text = text || chr(10) || (
            select min(quote) from raw_facts where raw_facts.doc_id = raw_documents.doc_id
        )
        where doc_id = 'customer_faq'
        """,
        "twice",
    ),
    Break(
        "every_fact_is_quoted_once_in_its_document",
        "update raw_documents set text = replace(text, 'e', 'E') where doc_id = 'customer_faq'",
        "never",
    ),
    Break(
        "every_golden_span_quotes_its_fact",
        "update raw_golden_spans set fact_id = 'unknown' where question_id = 'qa001'",
        "no fact",
    ),
    Break(
        "every_golden_span_quotes_its_fact",
        "update raw_golden_spans set quote = quote || '.' where question_id = 'qa001'",
        "another quote",
    ),
    Break(
        "paragraphs_hardly_repeat",
        """
        update raw_documents set text = text || repeat(
            chr(10) || chr(10) || 'One and the same paragraph, written a dozen times, to make the '
            || 'corpus longer than what it has to say.',
            12
        )
        where doc_id = 'customer_faq'
        """,
    ),
    *(
        Break("the_bundled_corpus_keeps_its_size", sql, why)
        for why, sql in {
            "nothing held out": "update raw_questions set split = 'tune'",
            "half held out": """
                update raw_questions set split = 'holdout' where question_id in (
                    select question_id from raw_questions order by question_id limit 140
                )
            """,
            "all answerable": "update raw_questions set answerable = 'true'",
            "one span each": "delete from raw_golden_spans where span_index != '1'",
            "one group": "update raw_documents set acl = 'public'",
            "one language": "update raw_documents set language = 'en'",
        }.items()
    ),
]


@dataclass
class Project:
    """The dbt project with settings of its own, parsed once and run in this process."""

    folder: Path
    variables: Mapping[str, Any]
    tests: dict[str, str] = field(default_factory=dict)
    judged: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.database = self.folder / "project.duckdb"
        with pytest.MonkeyPatch.context() as monkeypatch:
            # The name of the file is part of every relation's name.
            monkeypatch.setenv("CHUNK_BAKEOFF_DATABASE", str(self.database))
            self._manifest = dbtRunner().invoke(self._arguments("parse")).result

    def _arguments(self, *command: str) -> list[str]:
        return [
            *("--quiet", "--log-level-file", "none", "--log-path", str(self.folder / "logs")),
            *command,
            *("--project-dir", str(REPO), "--profiles-dir", str(REPO)),
            *("--target-path", str(self.folder / "target"), "--threads", "2"),
            *("--vars", json.dumps(self.variables)),
        ]

    def _run(self, monkeypatch: pytest.MonkeyPatch, database: Path, *command: str) -> list[Any]:
        monkeypatch.setenv("CHUNK_BAKEOFF_DATABASE", str(database))
        runner = dbtRunner(manifest=self._manifest)
        outcome = runner.invoke(self._arguments(*command, "--no-write-json"))
        # Until then the database is open in this process, and part of it is not in its file.
        DuckDBConnectionManager.close_all_connections()
        return outcome.result.results

    def build(self, selection: Sequence[str] = ()) -> None:
        """Build, and keep the SQL of every data test; none of them may fail."""
        with pytest.MonkeyPatch.context() as monkeypatch:
            results = self._run(
                monkeypatch,
                self.database,
                *("build", "--exclude-resource-type", "unit_test"),
                *(("--select", *selection) if selection else ()),
            )
        bad = {
            r.node.name: r.message for r in results if r.status not in ("pass", "success", "no-op")
        }
        assert not bad
        self.tests = {
            r.node.name: r.node.compiled_code for r in results if r.node.resource_type == "test"
        }

    def broken_copy(self, folder: Path, sql: str) -> Path:
        """A copy of the database, of the same name, that `sql` has changed."""
        copy = Path(shutil.copy(self.database, folder))
        with duckdb.connect(str(copy)) as connection:
            connection.execute(sql)
        return copy

    def failing(self, database: Path) -> set[str]:
        """Names of the tests whose SQL returns rows."""
        with duckdb.connect(str(database), read_only=True) as connection:
            return {
                name
                for name, sql in self.tests.items()
                if connection.execute(f"select count(*) from ({sql}\n)").fetchone()[0]
            }

    def held_back_by(self, test: str) -> set[str]:
        """Models that dbt does not build where this test fails."""
        self._manifest.build_parent_and_child_maps()
        children = self._manifest.child_map
        (node,) = (n for n in self._manifest.nodes.values() if n.name == test)

        def below(unique_id: str) -> set[str]:
            models = {child for child in children[unique_id] if child.startswith("model.")}
            return models.union(*map(below, models))

        return set.intersection(*map(below, node.depends_on.nodes))

    def verdict(self, monkeypatch: pytest.MonkeyPatch, database: Path, test: str) -> str:
        """What dbt itself says of one test."""
        quickly = ("--no-populate-cache", "--use-fast-test-edges")
        (result,) = self._run(monkeypatch, database, "test", "--select", test, *quickly)
        return str(result.status)


@pytest.fixture(scope="session")
def small(tmp_path_factory, hashing_model):
    project = Project(
        tmp_path_factory.mktemp("small"),
        {
            "documents_path": str(FIXTURES / "documents.jsonl"),
            "questions_path": str(FIXTURES / "questions.jsonl"),
            "embedding_models": [hashing_model],
            "strategies": ["fixed", "structure", "parent_child_chars"],
            "strategy_variants": {
                "fixed": {"windows": {"size": 16}, "overlapping": {"size": 16, "overlap": 8}},
                "structure": {"sections": {"path": True}},
                "parent_child_chars": {"children": {"child_size": 40}},
            },
            "baseline_strategy": "windows",
        },
    )
    project.build()
    return project


@pytest.fixture(scope="session")
def bundled(tmp_path_factory):
    project = Project(tmp_path_factory.mktemp("bundled"), {})
    project.build(
        [
            *("raw_documents", "raw_questions", "raw_golden_spans", "raw_facts"),
            *("group_members", "hypotheses", "search_failures"),
        ]
    )
    return project


def check(project: Project, case: Break, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    database = project.broken_copy(folder, case.sql)
    assert project.failing(database) == case.failing
    # dbt takes a second to say what the SQL of the test has said: it is asked once per test.
    if case.test not in {None, *project.judged}:
        assert project.verdict(monkeypatch, database, case.test) in ("fail", "warn")
        project.judged.add(case.test)


@pytest.mark.parametrize("case", OF_A_SMALL_CORPUS, ids=str)
def test_a_broken_invariant_fails_its_test_alone(case, small, monkeypatch, tmp_path):
    check(small, case, monkeypatch, tmp_path)


@pytest.mark.parametrize("case", OF_THE_BUNDLED_CORPUS, ids=str)
def test_a_broken_promise_of_the_bundled_corpus_fails_its_test_alone(
    case, bundled, monkeypatch, tmp_path
):
    check(bundled, case, monkeypatch, tmp_path)


def test_every_data_test_is_broken_by_some_case(small, bundled):
    cases = {case.test for case in (*OF_A_SMALL_CORPUS, *OF_THE_BUNDLED_CORPUS)} - {None}
    assert cases == (small.tests.keys() | bundled.tests.keys()) - {OF_A_FORMULA}


@pytest.mark.parametrize(
    "test", ["every_piece_of_evidence_is_found", "every_text_of_today_could_be_embedded"]
)
def test_a_flaw_of_the_input_keeps_no_model_from_being_built(test, small):
    # dbt holds back what comes after everything that a failed test reads.
    assert not small.held_back_by(test)


def test_bounds_at_another_confidence_are_not_the_published_ones(small):
    at_95, at_90 = "1.959963984540054", "1.6448536269514722"
    sql = small.tests[OF_A_FORMULA]
    assert at_95 in sql
    with duckdb.connect() as connection:
        assert not connection.execute(sql).fetchall()
        assert len(connection.execute(sql.replace(at_95, at_90)).fetchall()) == 5
