with candidates as (

    select
        label_kind,
        slice_value,
        questions
    from {{ ref('int_decision_candidates') }}

),

final as (

    select
        label_kind,
        -- Chosen on tune where a holdout can confirm the choice, else on all questions.
        case
            when
                count(*) filter (where slice_value = 'holdout') > 0
                and count(*) filter (where slice_value = 'tune') > 0
                then 'tune'
            else 'all'
        end as chosen_on
    from candidates
    group by label_kind

)

select * from final
