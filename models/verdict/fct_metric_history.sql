{{ config(
    materialized='incremental',
    incremental_strategy='append',
    full_refresh=false,
    on_schema_change='append_new_columns',
) }}

with runs as (

    select * from {{ ref('int_run') }}

),

corpus as (

    select * from {{ ref('int_corpus') }}

),

metrics as (

    select * from {{ ref('fct_metrics') }}
    where slice_kind = 'all'

),

variants as (

    select distinct
        strategy,
        strategy_version,
        cast(settings as {{ dbt.type_string() }}) as settings
    from {{ ref('int_chunks') }}

),

configurations as (

    select
        config_id,
        retriever_settings
    from {{ ref('int_configurations') }}

),

embedding_models as (

    select
        embedding_model,
        model_revision
    from {{ ref('int_embedding_models') }}

),

final as (

    select
        runs.run_id,
        runs.run_at,
        runs.git_revision,
        corpus.corpus_hash,
        corpus.question_set_hash,
        metrics.config_id,
        metrics.strategy,
        metrics.retriever,
        metrics.embedding_model,
        metrics.delivery,
        embedding_models.model_revision,
        variants.strategy_version,
        variants.settings,
        configurations.retriever_settings,
        metrics.label_kind,
        metrics.metric,
        metrics.k,
        metrics.token_budget,
        metrics.value,
        metrics.n_given,
        metrics.n_scored,
        metrics.ci_low,
        metrics.ci_high
    from metrics
    cross join runs
    cross join corpus
    inner join variants on metrics.strategy = variants.strategy
    inner join configurations on metrics.config_id = configurations.config_id
    left join embedding_models on metrics.embedding_model = embedding_models.embedding_model

)

select * from final
