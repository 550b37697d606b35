with usage as (

    select * from {{ ref('embedding_usage') }}

),

final as (

    select
        strategy,
        embedding_model,
        cast(date_trunc('month', recorded_at) as date) as month,
        count(distinct run_id) as runs,
        sum(texts_embedded) as texts_embedded,
        sum(tokens_embedded) as tokens_embedded,
        cast(sum(tokens_needed) as bigint) as tokens_without_cache,
        sum(tokens_embedded / 1e6 * price_per_million_tokens) as spend,
        sum(greatest(tokens_needed, tokens_embedded) / 1e6 * price_per_million_tokens) as spend_without_cache,
        sum(greatest(tokens_needed - tokens_embedded, 0) / 1e6 * price_per_million_tokens) as saved
    from usage
    group by strategy, embedding_model, month

)

select * from final
