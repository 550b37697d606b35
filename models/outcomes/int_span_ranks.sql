{%- set segment_text = chunk_bakeoff.slice_text(
    'quote', '(segment_start - char_start)', '(segment_end - char_start)'
) -%}

with retrievals as (

    select
        config_id,
        question_id,
        rank,
        doc_id,
        context_start,
        context_end
    from {{ ref('fct_retrievals') }}

),

scored as (

    select question_id from {{ ref('int_question_labels') }}
    where standing = 'scored' and label_kind = 'span'

),

spans as (

    select
        golden_spans.question_id,
        golden_spans.span_index,
        golden_spans.doc_id,
        golden_spans.quote,
        golden_spans.char_start,
        golden_spans.char_end
    from {{ ref('stg_golden_spans') }} as golden_spans
    inner join scored on golden_spans.question_id = scored.question_id
    where golden_spans.label_kind = 'span'

),

-- Every context that touches a span, cut to the span.
touching as (

    select
        retrievals.config_id,
        spans.question_id,
        spans.span_index,
        spans.quote,
        spans.char_start,
        spans.char_end,
        retrievals.rank,
        greatest(retrievals.context_start, spans.char_start) as piece_start,
        least(retrievals.context_end, spans.char_end) as piece_end
    from retrievals
    inner join spans
        on
            retrievals.question_id = spans.question_id
            and retrievals.doc_id = spans.doc_id
            and retrievals.context_start < spans.char_end
            and retrievals.context_end > spans.char_start

),

edges as (

    select
        config_id,
        question_id,
        span_index,
        quote,
        char_start,
        char_end,
        piece_start as edge
    from touching
    union
    select
        config_id,
        question_id,
        span_index,
        quote,
        char_start,
        char_end,
        piece_end as edge
    from touching
    union
    select
        config_id,
        question_id,
        span_index,
        quote,
        char_start,
        char_end,
        char_start as edge
    from touching
    union
    select
        config_id,
        question_id,
        span_index,
        quote,
        char_start,
        char_end,
        char_end as edge
    from touching

),

segments as (

    select
        config_id,
        question_id,
        span_index,
        quote,
        char_start,
        edge as segment_start,
        lead(edge) over (
            partition by config_id, question_id, span_index order by edge
        ) as segment_end
    from edges

),

-- White space need not be delivered.
needed as (

    select * from segments
    where
        segment_end is not null
        and not {{ chunk_bakeoff.is_blank(segment_text) }}

),

first_covered as (

    select
        needed.config_id,
        needed.question_id,
        needed.span_index,
        needed.segment_start,
        min(touching.rank) as first_rank
    from needed
    left join touching
        on
            needed.config_id = touching.config_id
            and needed.question_id = touching.question_id
            and needed.span_index = touching.span_index
            and needed.segment_start >= touching.piece_start
            and needed.segment_end <= touching.piece_end
    group by needed.config_id, needed.question_id, needed.span_index, needed.segment_start

),

found as (

    select
        config_id,
        question_id,
        span_index,
        case when count(*) = count(first_rank) then max(first_rank) end as found_at_rank
    from first_covered
    group by config_id, question_id, span_index

),

-- White space at the edges of a quote need not be covered by the single context either.
trimmed as (

    select
        config_id,
        question_id,
        span_index,
        min(segment_start) as needed_start,
        max(segment_end) as needed_end
    from needed
    group by config_id, question_id, span_index

),

hits as (

    select
        touching.config_id,
        touching.question_id,
        touching.span_index,
        min(touching.rank) as hit_rank
    from touching
    inner join trimmed
        on
            touching.config_id = trimmed.config_id
            and touching.question_id = trimmed.question_id
            and touching.span_index = trimmed.span_index
            and touching.piece_start <= trimmed.needed_start
            and touching.piece_end >= trimmed.needed_end
    group by touching.config_id, touching.question_id, touching.span_index

),

final as (

    select
        found.config_id,
        found.question_id,
        found.span_index,
        found.found_at_rank,
        hits.hit_rank
    from found
    left join hits
        on
            found.config_id = hits.config_id
            and found.question_id = hits.question_id
            and found.span_index = hits.span_index

)

select * from final
