with metrics as (

    select * from {{ ref('fct_metrics') }}

),

final as (

    select
        *,
        n_scored < {{ var('smallest_slice') }} as is_too_small
    from metrics

)

select * from final
