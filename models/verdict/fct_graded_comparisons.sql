with tests as (

    select * from {{ ref('int_graded_tests') }}

),

final as (

    select
        config_a,
        config_b,
        label_kind,
        metric,
        k,
        token_budget,
        questions,
        mean_a,
        mean_b,
        difference,
        ci_low,
        ci_high,
        p_value
    from tests

)

select * from final
