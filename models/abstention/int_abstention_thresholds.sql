with curve as (

    select * from {{ ref('fct_abstention_curve') }}
    where split = 'tune' and no_answer_kind = 'all'

),

-- The lowest threshold that keeps false answers rare enough abstains least.
final as (

    select
        config_id,
        label_kind,
        signal,
        min(threshold) as threshold
    from curve
    where false_answer_rate <= {{ chunk_bakeoff.abstention()['target_false_answer_rate'] }}
    group by config_id, label_kind, signal

)

select * from final
