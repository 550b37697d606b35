-- depends_on: {{ ref('int_embedding_run') }}

with batches as (

    select * from {{ ref('embedding_batches') }}

),

runs as (

    select
        run_id,
        embedding_model,
        model_revision,
        cast(sum(texts) as bigint) as texts,
        cast(sum(failures) as bigint) as failures,
        cast(sum(tokens) as bigint) as tokens,
        sum(seconds) as seconds,
        sum(tokens) / nullif(sum(seconds), 0) as tokens_per_second,
        1 - sum(tokens) / nullif(sum(padded_tokens), 0) as padding_share,
        sum(tokens / 1e6 * coalesce(price_per_million_tokens, 0)) as price,
        min(finished_at) as first_batch_at,
        max(finished_at) as last_batch_at
    from batches
    group by run_id, embedding_model, model_revision

)

select * from runs
