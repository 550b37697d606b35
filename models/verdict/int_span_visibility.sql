{%- set gap_text = chunk_bakeoff.slice_text(
    'quote', '(gap_start - span_start)', '(gap_end - span_start)'
) -%}

with spans as (

    select * from {{ ref('int_scored_spans') }}

),

chunks as (

    select distinct
        strategy,
        doc_id,
        access_key,
        context_start,
        context_end
    from {{ ref('int_chunks') }}

),

visibility as (

    select
        question_id,
        access_key
    from {{ ref('int_question_visibility') }}

),

holders as (

    select
        chunks.strategy,
        spans.question_id,
        spans.span_index,
        spans.quote,
        spans.char_start as span_start,
        spans.char_end as span_end,
        greatest(chunks.context_start, spans.char_start) as piece_start,
        least(chunks.context_end, spans.char_end) as piece_end,
        visibility.access_key is not null as is_visible
    from chunks
    inner join spans
        on
            chunks.doc_id = spans.doc_id
            and chunks.context_start < spans.char_end
            and chunks.context_end > spans.char_start
    left join visibility
        on
            spans.question_id = visibility.question_id
            and chunks.access_key = visibility.access_key

),

-- What the contexts that the asker may see leave out of the span.
pieces as (

    select
        *,
        coalesce(max(piece_end) over (
            partition by strategy, question_id, span_index
            order by piece_start, piece_end
            rows between unbounded preceding and 1 preceding
        ), span_start) as reached
    from holders
    where is_visible

),

gaps as (

    select
        strategy,
        question_id,
        span_index,
        quote,
        span_start,
        reached as gap_start,
        piece_start as gap_end
    from pieces
    where piece_start > reached

    union all

    select
        strategy,
        question_id,
        span_index,
        any_value(quote) as quote,
        any_value(span_start) as span_start,
        max(piece_end) as gap_start,
        any_value(span_end) as gap_end
    from pieces
    group by strategy, question_id, span_index
    having max(piece_end) < any_value(span_end)

),

-- White space need not be delivered.
hidden as (

    select distinct
        strategy,
        question_id,
        span_index
    from gaps
    where not {{ chunk_bakeoff.is_blank(gap_text) }}

),

summarised as (

    select
        strategy,
        question_id,
        span_index,
        bool_or(is_visible) as has_visible,
        bool_and(is_visible) as has_nothing_hidden
    from holders
    group by strategy, question_id, span_index

),

-- Where nothing is hidden and yet a piece is missing, the strategy has left it out.
final as (

    select
        summarised.strategy,
        summarised.question_id,
        summarised.span_index,
        summarised.has_nothing_hidden
        or (summarised.has_visible and hidden.question_id is null) as is_visible
    from summarised
    left join hidden
        on
            summarised.strategy = hidden.strategy
            and summarised.question_id = hidden.question_id
            and summarised.span_index = hidden.span_index

)

select * from final
