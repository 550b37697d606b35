with contexts as (

    select
        strategy,
        context_id,
        context_tokens,
        count(*) as units
    from {{ ref('int_chunks') }}
    group by strategy, context_id, context_tokens

),

smallest_first as (

    select
        strategy,
        units,
        sum(context_tokens) over (
            partition by strategy order by context_tokens, context_id rows unbounded preceding
        ) as running_tokens
    from contexts

),

-- No ranking can fit more contexts into the largest budget than the smallest ones fill.
depths as (

    select
        strategy,
        max(units) as most_units,
        greatest(
            {{ var('k_values') | max }},
            -- What fusions and rerankers read.
            {{ chunk_bakeoff.fusion_depth() }},
            count(*) filter (where running_tokens <= {{ var('token_budgets') | max }})
        ) as context_depth
    from smallest_first
    group by strategy

),

-- The n best units stand in at least n / (units per context) contexts.
final as (

    select
        strategy,
        context_depth,
        context_depth * most_units as unit_depth
    from depths

)

select * from final
