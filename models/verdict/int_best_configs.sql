with metrics as (

    select * from {{ ref('fct_metrics') }}
    where slice_kind in ('all', 'split')

),

cutoffs as (

    select * from {{ ref('int_cutoffs') }}

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
    -- Rounded, because equal means may differ in their last bit.
    qualify
        row_number() over (
            partition by
                metrics.label_kind, metrics.slice_kind, metrics.slice_value, metrics.retriever,
                metrics.embedding_model, metrics.delivery, cutoffs.cutoff_number
            order by round(metrics.value, 9) desc, metrics.config_id
        ) = 1

)

select * from final
