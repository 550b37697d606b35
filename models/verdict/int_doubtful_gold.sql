with missed as (

    select distinct
        config_id,
        strategy,
        question_id,
        span_index
    from {{ ref('int_missed_spans') }}

),

spans as (

    select
        question_id,
        span_index,
        doc_id,
        char_start,
        char_end,
        {{ chunk_bakeoff.distinct_words_of('quote') }} as words,
        {{ chunk_bakeoff.words_of('quote') }} as words_in_order
    from {{ ref('int_scored_spans') }}

),

contexts as (

    select
        strategy,
        chunk_id,
        lower(context_text) as lowered
    from {{ ref('int_chunks') }}

),

retrievals as (

    select
        config_id,
        question_id,
        rank,
        cumulative_tokens,
        chunk_id,
        doc_id,
        context_start,
        context_end
    from {{ ref('fct_retrievals') }}
    -- A twin further down is not what a reader would have taken for the answer.
    where rank <= 10

),

-- A handful of words proves nothing: most passages hold them.
elsewhere as (

    select
        missed.config_id,
        missed.question_id,
        missed.span_index,
        retrievals.rank,
        retrievals.cumulative_tokens,
        spans.words,
        spans.words_in_order,
        contexts.lowered
    from missed
    inner join spans
        on
            missed.question_id = spans.question_id
            and missed.span_index = spans.span_index
    inner join retrievals
        on
            missed.config_id = retrievals.config_id
            and missed.question_id = retrievals.question_id
    inner join contexts
        on
            missed.strategy = contexts.strategy
            and retrievals.chunk_id = contexts.chunk_id
    where
        len(spans.words) >= 6
        and (
            retrievals.doc_id != spans.doc_id
            or retrievals.context_end <= spans.char_start
            or retrievals.context_start >= spans.char_end
        )

),

-- Words are looked for as strings first, because few contexts pass and splitting takes long.
-- Materialised, because the words would be split again for every pair.
candidates as materialized (

    select
        *,
        {{ chunk_bakeoff.words_of('lowered') }} as context_words
    from elsewhere
    where {{ chunk_bakeoff.count_contained('words', 'lowered') }} >= 0.9 * len(words)

),

-- The words of a sentence stand in many a long context, but not side by side.
neighbours as materialized (

    select
        config_id,
        question_id,
        span_index,
        rank,
        cumulative_tokens,
        words,
        context_words,
        {{ chunk_bakeoff.shingles_of('words_in_order', 2) }} as pairs,
        {{ chunk_bakeoff.shingles_of('context_words', 2) }} as context_pairs
    from candidates

),

final as (

    select
        config_id,
        question_id,
        span_index,
        min(rank) as first_rank,
        min(cumulative_tokens) as first_tokens
    from neighbours
    where
        len({{ chunk_bakeoff.lists_shared('words', 'context_words') }}) >= 0.9 * len(words)
        -- One word in ten that differs takes two pairs in ten with it.
        and len({{ chunk_bakeoff.lists_shared('pairs', 'context_pairs') }}) >= 0.75 * len(pairs)
    group by config_id, question_id, span_index

)

select * from final
