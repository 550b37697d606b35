with flips as (

    select * from {{ ref('int_shipped_flips') }}

),

sign_test as (
    {{ chunk_bakeoff.sign_test('flips') }}
),

reference_run as (

    select * from {{ ref('int_reference_run') }}

),

compared as (

    select
        flips.config_id,
        flips.label_kind,
        reference_run.run_id as reference_run_id,
        reference_run.is_accepted,
        flips.questions,
        flips.recall,
        flips.accepted_recall,
        flips.accepted_recall - flips.recall as fall,
        flips.a_only as gained,
        flips.b_only as lost,
        sign_test.p_value
    from flips
    cross join reference_run
    inner join sign_test
        on
            least(flips.a_only, flips.b_only) = sign_test.fewer
            and flips.a_only + flips.b_only = sign_test.flips

),

final as (

    select
        *,
        fall > 0
        and lost > gained
        and p_value < {{ var('significance_level') }} as is_significant_fall,
        round(fall, 9) > {{ var('max_regression') }} as is_large_fall
    from compared

)

select * from final
