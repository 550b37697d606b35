with outcomes as (

    select * from {{ ref('fct_span_outcomes') }}

),

final as (

    select
        config_id,
        label_kind,
        question_id,
        count(*) as spans,
        -- Null as soon as one span is missing: then the question as a whole is not found.
        case when count(*) = count(found_at_rank) then max(found_at_rank) end as complete_at_rank,
        case when count(*) = count(found_at_tokens) then max(found_at_tokens) end
            as complete_at_tokens,
        min(hit_rank) as first_hit_rank
    from outcomes
    group by config_id, label_kind, question_id

)

select * from final
