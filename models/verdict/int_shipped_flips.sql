with outcomes as (

    select * from {{ ref('int_shipped_outcomes') }}

),

final as (

    select
        config_id,
        label_kind,
        count(*) as questions,
        avg(recall) as recall,
        avg(accepted_recall) as accepted_recall,
        count(*) filter (where recall > accepted_recall) as a_only,
        count(*) filter (where recall < accepted_recall) as b_only
    from outcomes
    group by config_id, label_kind

)

select * from final
