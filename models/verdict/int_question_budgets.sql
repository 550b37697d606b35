with configurations as (

    select config_id from {{ ref('int_configurations') }}

),

labels as (

    select
        question_id,
        label_kind
    from {{ ref('int_question_labels') }}
    where standing = 'scored'

),

retrievals as (

    select
        config_id,
        question_id,
        cumulative_tokens
    from {{ ref('fct_retrievals') }}

),

budgets as (
    {{ chunk_bakeoff.as_values(var('token_budgets'), 'token_budget') }}

),

-- The filling stops at the first context that does not fit.
filled as (

    select
        retrievals.config_id,
        retrievals.question_id,
        budgets.token_budget,
        max(retrievals.cumulative_tokens) as context_tokens
    from retrievals
    inner join budgets on retrievals.cumulative_tokens <= budgets.token_budget
    group by retrievals.config_id, retrievals.question_id, budgets.token_budget

),

final as (

    select
        configurations.config_id,
        labels.label_kind,
        labels.question_id,
        'context_tokens_at_budget' as metric,
        cast(budgets.token_budget as integer) as token_budget,
        cast(coalesce(filled.context_tokens, 0) as double) as value
    from labels
    cross join configurations
    cross join budgets
    left join filled
        on
            configurations.config_id = filled.config_id
            and labels.question_id = filled.question_id
            and budgets.token_budget = filled.token_budget

)

select * from final
