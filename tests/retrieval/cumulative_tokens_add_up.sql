-- The running total is the sum of the tokens of the contexts up to and with each rank.
with retrievals as (

    select * from {{ ref('fct_retrievals') }}

),

summed as (

    select
        config_id,
        question_id,
        rank,
        context_tokens,
        cumulative_tokens,
        sum(context_tokens) over (
            partition by config_id, question_id order by rank rows unbounded preceding
        ) as expected
    from retrievals

)

select *
from summed
where cumulative_tokens != expected
