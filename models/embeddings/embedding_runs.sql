-- depends_on: {{ ref('int_embedding_run') }}

with batches as (

    select * from {{ ref('embedding_batches') }}

),

embedding_models as (

    select
        embedding_model,
        price_per_million_tokens
    from {{ ref('int_embedding_models') }}

),

runs as (

    select
        run_id,
        embedding_model,
        model_revision,
        sum(texts) as texts,
        sum(failures) as failures,
        sum(tokens) as tokens,
        sum(seconds) as seconds,
        min(finished_at) as first_batch_at,
        max(finished_at) as last_batch_at
    from batches
    group by run_id, embedding_model, model_revision

),

final as (

    select
        runs.run_id,
        runs.embedding_model,
        runs.model_revision,
        runs.texts,
        runs.failures,
        runs.tokens,
        runs.seconds,
        runs.tokens / nullif(runs.seconds, 0) as tokens_per_second,
        runs.tokens / 1e6 * embedding_models.price_per_million_tokens as price,
        runs.first_batch_at,
        runs.last_batch_at
    from runs
    left join embedding_models on runs.embedding_model = embedding_models.embedding_model

)

select * from final
