with resolved as (

    select * from {{ ref('base_resolved_spans') }}

),

questions as (

    select question_id from {{ ref('stg_questions') }}

),

final as (

    select
        resolved.question_id,
        resolved.label_kind,
        resolved.span_index,
        resolved.doc_id,
        resolved.quote,
        resolved.section,
        case
            when questions.question_id is null then 'unknown_question'
            else resolved.status
        end as status,
        resolved.char_start,
        resolved.char_end,
        resolved.occurrence_count,
        resolved.occurrence_starts,
        resolved.nearest_passage,
        resolved.nearest_start,
        resolved.nearest_distance
    from resolved
    left join questions on resolved.question_id = questions.question_id

)

select * from final
