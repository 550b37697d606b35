with outcomes as (

    select * from {{ ref('int_question_outcomes') }}

),

cutoffs as (

    select
        cutoff_number,
        k,
        token_budget
    from {{ ref('int_cutoffs') }}

),

final as (

    select
        outcomes.config_id,
        outcomes.label_kind,
        outcomes.question_id,
        cutoffs.cutoff_number
    from outcomes
    inner join cutoffs
        on
            outcomes.complete_at_rank <= cutoffs.k
            or outcomes.complete_at_tokens <= cutoffs.token_budget

)

select * from final
