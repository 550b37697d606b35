{{ config(materialized='incremental', incremental_strategy='append', full_refresh=false) }}

with runs as (

    select
        run_id,
        run_at
    from {{ ref('int_run') }}

),

question_metrics as (

    select
        config_id,
        label_kind,
        question_id,
        metric,
        token_budget,
        value
    from {{ ref('int_question_metrics') }}
    where metric = 'recall_at_budget' and token_budget = {{ var('default_budget') }}

),

final as (

    select
        runs.run_id,
        runs.run_at,
        question_metrics.config_id,
        question_metrics.label_kind,
        question_metrics.question_id,
        question_metrics.token_budget,
        question_metrics.value as recall
    from question_metrics
    cross join runs

)

select * from final
