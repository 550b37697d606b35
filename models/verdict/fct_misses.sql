with missed as (

    select * from {{ ref('int_missed_spans') }}

),

retrievals as (

    select * from {{ ref('fct_retrievals') }}

),

top_results as (

    select
        config_id,
        question_id,
        strategy,
        doc_id,
        context_start,
        context_end
    from retrievals
    where rank = 1

),

spans as (

    select
        question_id,
        span_index,
        doc_id,
        char_start,
        char_end
    from {{ ref('int_scored_spans') }}

),

cover as (

    select * from {{ ref('int_evidence_cover') }}

),

reading as (

    select * from {{ ref('int_span_reading') }}

),

visible as (

    select * from {{ ref('int_span_visibility') }}

),

doubtful as (

    select * from {{ ref('int_doubtful_gold') }}

),

repeated as (

    select * from {{ ref('int_repeated_contexts') }}

),

causes as (

    select * from {{ ref('miss_causes') }}

),

repeats_ahead as (

    select
        missed.config_id,
        missed.question_id,
        missed.span_index,
        missed.cutoff_number,
        count(*) as repeats,
        sum(repeated.context_tokens) as repeated_tokens
    from missed
    inner join repeated
        on
            missed.config_id = repeated.config_id
            and missed.question_id = repeated.question_id
            and missed.found_at_rank > repeated.rank
    group by missed.config_id, missed.question_id, missed.span_index, missed.cutoff_number

),

documents_delivered as (

    select
        config_id,
        question_id,
        doc_id,
        min(rank) as first_rank,
        min(cumulative_tokens) as first_tokens
    from retrievals
    group by config_id, question_id, doc_id

),

-- Where the evidence was cut, a piece of it may be delivered without the rest.
pieces as (

    select
        missed.config_id,
        missed.question_id,
        missed.span_index,
        missed.cutoff_number,
        min(retrievals.rank) as first_rank
    from missed
    inner join spans
        on
            missed.question_id = spans.question_id
            and missed.span_index = spans.span_index
    inner join retrievals
        on
            missed.config_id = retrievals.config_id
            and missed.question_id = retrievals.question_id
            and spans.doc_id = retrievals.doc_id
            and spans.char_start < retrievals.context_end
            and spans.char_end > retrievals.context_start
    where
        missed.found_at_rank is null
        and (retrievals.rank <= missed.k or retrievals.cumulative_tokens <= missed.token_budget)
    group by missed.config_id, missed.question_id, missed.span_index, missed.cutoff_number

),

examined as (

    select
        missed.*,
        cover.contexts_for_span,
        -- What no context touches is not hidden, but left out.
        coalesce(visible.is_visible, true) as is_visible,
        coalesce(reading.is_unread, false) as is_unread,
        coalesce(
            doubtful.first_rank <= missed.k or doubtful.first_tokens <= missed.token_budget, false
        ) as has_twin,
        doubtful.first_rank as twin_rank,
        coalesce(repeats_ahead.repeats, 0) as repeats,
        coalesce(repeats_ahead.repeated_tokens, 0) as repeated_tokens,
        coalesce(
            documents_delivered.first_rank <= missed.k
            or documents_delivered.first_tokens <= missed.token_budget,
            false
        ) as has_document,
        documents_delivered.first_rank as document_rank,
        pieces.first_rank as piece_rank
    from missed
    left join cover
        on
            missed.strategy = cover.strategy
            and missed.question_id = cover.question_id
            and missed.span_index = cover.span_index
    left join visible
        on
            missed.strategy = visible.strategy
            and missed.question_id = visible.question_id
            and missed.span_index = visible.span_index
    -- Retrievers without vectors read every chunk to its end.
    left join reading
        on
            missed.strategy = reading.strategy
            and missed.embedding_model = reading.embedding_model
            and missed.question_id = reading.question_id
            and missed.span_index = reading.span_index
    left join doubtful
        on
            missed.config_id = doubtful.config_id
            and missed.question_id = doubtful.question_id
            and missed.span_index = doubtful.span_index
    left join repeats_ahead
        on
            missed.config_id = repeats_ahead.config_id
            and missed.question_id = repeats_ahead.question_id
            and missed.span_index = repeats_ahead.span_index
            and missed.cutoff_number = repeats_ahead.cutoff_number
    left join documents_delivered
        on
            missed.config_id = documents_delivered.config_id
            and missed.question_id = documents_delivered.question_id
            and missed.doc_id = documents_delivered.doc_id
    left join pieces
        on
            missed.config_id = pieces.config_id
            and missed.question_id = pieces.question_id
            and missed.span_index = pieces.span_index
            and missed.cutoff_number = pieces.cutoff_number

),

-- Tried in the order of miss_causes.precedence.
explained as (

    select
        *,
        case
            when not is_visible then 'access'
            when contexts_for_span is null or contexts_for_span > 2 then 'never_whole'
            when is_unread then 'truncated'
            when has_twin then 'gold_in_doubt'
            when
                repeats > 0
                and (
                    found_at_rank - repeats <= k
                    or found_at_tokens - repeated_tokens <= token_budget
                )
                then 'crowded_out'
            when
                token_budget is not null and found_at_rank <= {{ var('k_values') | max }}
                then 'budget'
            when found_at_rank is not null then 'ranked_too_low'
            when has_document then 'right_document_wrong_place'
            else 'mismatch'
        end as cause
    from examined

),

final as (

    select
        explained.config_id,
        explained.strategy,
        explained.retriever,
        explained.embedding_model,
        explained.delivery,
        explained.question_id,
        explained.metric,
        explained.k,
        explained.token_budget,
        explained.span_index,
        explained.doc_id,
        explained.cause,
        case explained.cause
            when 'access' then 'the asker may not see every unit that the evidence needs'
            when
                'never_whole'
                then
                    coalesce(
                        'it takes '
                        || explained.contexts_for_span
                        || ' contexts to deliver the evidence',
                        'some of the evidence is in no context'
                    )
            when 'truncated' then 'the model stopped reading before the evidence'
            when
                'gold_in_doubt'
                then
                    'the context at rank '
                    || explained.twin_rank
                    || ' holds nearly the same words in nearly the same order'
            when
                'crowded_out'
                then
                    'found at rank '
                    || explained.found_at_rank
                    || ', behind '
                    || explained.repeats
                    || ' contexts that repeat others, '
                    || explained.repeated_tokens
                    || ' {{ chunk_bakeoff.count_unit() }}'
            when
                'budget'
                then
                    'found at rank '
                    || explained.found_at_rank
                    || ', after '
                    || explained.found_at_tokens
                    || ' {{ chunk_bakeoff.count_unit() }}'
            when
                'ranked_too_low'
                then
                    'found at rank '
                    || explained.found_at_rank
                    || ', after '
                    || explained.found_at_tokens
                    || ' {{ chunk_bakeoff.count_unit() }}'
            when
                'right_document_wrong_place'
                then
                    'first context of the document at rank '
                    || explained.document_rank
                    || coalesce(', a piece of the evidence at rank ' || explained.piece_rank, '')
            else
                coalesce(
                    'first context of the document at rank ' || explained.document_rank,
                    'the document is not within the stored depth'
                )
        end as finding,
        explained.found_at_rank,
        explained.found_at_tokens,
        explained.contexts_for_span,
        top_results.doc_id as beaten_by_doc_id,
        top_results.context_start as beaten_by_start,
        top_results.context_end as beaten_by_end,
        causes.remedy,
        causes.side_effect
    from explained
    inner join causes on explained.cause = causes.cause
    left join top_results
        on
            explained.config_id = top_results.config_id
            and explained.question_id = top_results.question_id

)

select * from final
