-- What it takes to find a piece of evidence is everything delivered up to and with its rank, and
-- null where it is not found.
with outcomes as (

    select * from {{ ref('fct_span_outcomes') }}

),

retrievals as (

    select
        config_id,
        question_id,
        rank,
        cumulative_tokens
    from {{ ref('fct_retrievals') }}

)

select
    outcomes.config_id,
    outcomes.label_kind,
    outcomes.question_id,
    outcomes.span_index,
    outcomes.found_at_rank,
    outcomes.found_at_tokens,
    retrievals.cumulative_tokens
from outcomes
left join retrievals
    on
        outcomes.config_id = retrievals.config_id
        and outcomes.question_id = retrievals.question_id
        and outcomes.found_at_rank = retrievals.rank
where
    outcomes.found_at_tokens is distinct from retrievals.cumulative_tokens
    or (outcomes.found_at_rank is not null and retrievals.rank is null)
