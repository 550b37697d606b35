with metrics as (

    select * from {{ ref('fct_metrics') }}
    where slice_kind in ('all', 'split')

),

cutoffs as (

    select * from {{ ref('int_cutoffs') }}

),

tokens as (

    select
        config_id,
        label_kind,
        slice_kind,
        slice_value,
        value as context_tokens
    from metrics
    where metric = 'context_tokens_at_budget' and token_budget = {{ var('default_budget') }}

),

final as (

    select
        metrics.label_kind,
        metrics.slice_kind,
        metrics.slice_value,
        metrics.retriever,
        metrics.embedding_model,
        metrics.delivery,
        cutoffs.cutoff_number,
        metrics.config_id,
        metrics.value
    from metrics
    inner join cutoffs
        on
            metrics.metric = cutoffs.metric
            and metrics.k is not distinct from cutoffs.k
            and metrics.token_budget is not distinct from cutoffs.token_budget
    inner join tokens
        on
            metrics.config_id = tokens.config_id
            and metrics.label_kind = tokens.label_kind
            and metrics.slice_kind = tokens.slice_kind
            and metrics.slice_value = tokens.slice_value
    -- Rounded, because equal means may differ in their last bit. Of equals the cheapest.
    qualify
        row_number() over (
            partition by
                metrics.label_kind, metrics.slice_kind, metrics.slice_value, metrics.retriever,
                metrics.embedding_model, metrics.delivery, cutoffs.cutoff_number
            order by
                round(metrics.value, 9) desc, round(tokens.context_tokens, 6), metrics.config_id
        ) = 1

)

select * from final
