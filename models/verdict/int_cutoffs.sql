with ranks as (
    {{ chunk_bakeoff.as_values(var('k_values'), 'k') }}

),

budgets as (
    {{ chunk_bakeoff.as_values(var('token_budgets'), 'token_budget') }}

),

cutoffs as (

    select
        'recall' as metric,
        cast(k as integer) as k,
        cast(null as integer) as token_budget
    from ranks

    union all

    select
        'recall_at_budget' as metric,
        cast(null as integer) as k,
        cast(token_budget as integer) as token_budget
    from budgets

),

final as (

    select
        cast(row_number() over (order by metric, k, token_budget) as integer) as cutoff_number,
        metric,
        k,
        token_budget,
        coalesce(token_budget = {{ var('default_budget') }}, false) as is_primary
    from cutoffs

)

select * from final
