with contexts as (

    select distinct
        strategy,
        context_id,
        context_tokens
    from {{ ref('int_chunks') }}

),

smallest_first as (

    select
        strategy,
        sum(context_tokens) over (
            partition by strategy order by context_tokens, context_id rows unbounded preceding
        ) as running_tokens
    from contexts

),

-- No ranking can fit more contexts into the largest budget than the smallest ones fill.
final as (

    select
        strategy,
        greatest(
            {{ var('k_values') | max }},
            count(*) filter (where running_tokens <= {{ var('token_budgets') | max }})
        ) as depth
    from smallest_first
    group by strategy

)

select * from final
