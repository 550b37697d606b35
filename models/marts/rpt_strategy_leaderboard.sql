with configurations as (

    select * from {{ ref('int_configurations') }}

),

metrics as (

    select * from {{ ref('fct_metrics') }}
    where slice_kind = 'all'

),

chunks as (

    select strategy from {{ ref('int_chunks') }}

),

chunk_tokens as (

    select * from {{ ref('int_chunk_tokens') }}

),

embedding_models as (

    select
        embedding_model,
        dimensions
    from {{ ref('int_embedding_models') }}

),

chunk_totals as (

    select
        strategy,
        count(*) as chunks
    from chunks
    group by strategy

),

-- One vector per chunk, 4 bytes per dimension.
index_totals as (

    select
        chunk_tokens.strategy,
        chunk_tokens.embedding_model,
        sum(chunk_tokens.token_count) as embed_tokens,
        count(*) * 4 * any_value(embedding_models.dimensions) as index_bytes,
        count(*) filter (where chunk_tokens.over_limit) as over_limit_chunks
    from chunk_tokens
    inner join embedding_models on chunk_tokens.embedding_model = embedding_models.embedding_model
    group by chunk_tokens.strategy, chunk_tokens.embedding_model

),

wide as (

    select
        config_id,
        label_kind,
        {%- for k in [1, 3, 5, 10] %}
        max(value) filter (where metric = 'recall' and k = {{ k }}) as recall_at_{{ k }},
        {%- endfor %}
        max(value) filter (where metric = 'mrr') as mrr,
        max(value) filter (
            where metric = 'recall_at_budget' and token_budget = {{ var('default_budget') }}
        ) as recall_at_budget,
        max(value) filter (where metric = 'context_tokens' and k = 5) as context_tokens_at_5,
        max(value) filter (where metric = 'repeated_share' and k = 5) as repeated_share_at_5,
        max(n_given) filter (where metric = 'mrr') as n_given,
        max(n_scored) filter (where metric = 'mrr') as n_scored
    from metrics
    group by config_id, label_kind

),

final as (

    select
        configurations.config_id,
        configurations.strategy,
        configurations.retriever,
        configurations.embedding_model,
        configurations.delivery,
        wide.label_kind,
        chunk_totals.chunks,
        -- A retriever without vectors embeds nothing, so that nothing is cut off either.
        cast(coalesce(index_totals.embed_tokens, 0) as bigint) as embed_tokens,
        cast(coalesce(index_totals.index_bytes, 0) as bigint) as index_bytes,
        wide.recall_at_1,
        wide.recall_at_3,
        wide.recall_at_5,
        wide.recall_at_10,
        wide.mrr,
        wide.recall_at_budget,
        wide.context_tokens_at_5,
        wide.repeated_share_at_5,
        coalesce(index_totals.over_limit_chunks, 0) as over_limit_chunks,
        wide.n_given,
        wide.n_scored,
        configurations.count_unit
    from configurations
    inner join wide on configurations.config_id = wide.config_id
    inner join chunk_totals on configurations.strategy = chunk_totals.strategy
    left join index_totals
        on
            configurations.strategy = index_totals.strategy
            and configurations.embedding_model = index_totals.embedding_model

)

select * from final
