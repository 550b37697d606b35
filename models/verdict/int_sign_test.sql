with counts as (

    select
        a_only,
        b_only
    from {{ ref('int_paired_counts') }}

),

final as (
    {{ chunk_bakeoff.sign_test('counts') }}
)

select * from final
