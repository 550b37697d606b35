with usage as (

    select * from {{ ref('embedding_usage') }}

),

-- A run may also embed what no strategy needs any more, left over from a run that was killed.
compared as (

    select
        *,
        greatest(tokens_needed, tokens_embedded) as without_cache
    from usage

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
        sum(without_cache / 1e6 * price_per_million_tokens) as spend_without_cache,
        sum((without_cache - tokens_embedded) / 1e6 * price_per_million_tokens) as saved
    from compared
    group by strategy, embedding_model, month

)

select * from final
