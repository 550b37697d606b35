with chunks as (

    select distinct
        strategy,
        embedding_key
    from {{ ref('int_chunks') }}

),

pending as (

    select
        embedding_model,
        text_kind,
        embedding_key,
        token_count
    from {{ ref('int_texts') }}
    where embedded_at is null

),

embedding_models as (

    select
        embedding_model,
        model_revision,
        max_tokens,
        price_per_million_tokens
    from {{ ref('int_embedding_models') }}
    where embedding_model = encoded_by

),

batches as (

    select
        run_id,
        embedding_model,
        model_revision,
        tokens,
        seconds,
        finished_at
    from {{ ref('embedding_batches') }}

),

last_rates as (

    select
        embedding_model,
        model_revision,
        sum(tokens) / nullif(sum(seconds), 0) as tokens_per_second
    from batches
    group by run_id, embedding_model, model_revision
    -- A run of failures alone has no rate.
    having sum(tokens) > 0
    qualify row_number() over (
        partition by embedding_model, model_revision order by max(finished_at) desc
    ) = 1

),

-- What the model reads of each text. Here no count is null: least would pass over it.
to_read as (

    select
        pending.embedding_model,
        pending.text_kind,
        pending.embedding_key,
        least(pending.token_count, embedding_models.max_tokens) as token_count
    from pending
    inner join embedding_models on pending.embedding_model = embedding_models.embedding_model

),

named as (

    select
        '(all)' as strategy,
        embedding_model,
        token_count
    from to_read

    union all

    select
        '(questions)' as strategy,
        embedding_model,
        token_count
    from to_read
    where text_kind = 'query'

    union all

    select
        chunks.strategy,
        to_read.embedding_model,
        to_read.token_count
    from chunks
    inner join to_read
        on
            chunks.embedding_key = to_read.embedding_key
            and to_read.text_kind = 'passage'

),

strategies as (

    select strategy from chunks
    union
    select '(all)' as strategy
    union
    select '(questions)' as strategy

),

totals as (

    select
        strategies.strategy,
        embedding_models.embedding_model,
        embedding_models.model_revision,
        embedding_models.price_per_million_tokens,
        count(named.token_count) as texts_to_embed,
        coalesce(sum(named.token_count), 0) as tokens_to_embed
    from strategies
    cross join embedding_models
    left join named
        on
            strategies.strategy = named.strategy
            and embedding_models.embedding_model = named.embedding_model
    group by
        strategies.strategy,
        embedding_models.embedding_model,
        embedding_models.model_revision,
        embedding_models.price_per_million_tokens

),

final as (

    select
        totals.strategy,
        totals.embedding_model,
        totals.texts_to_embed,
        cast(totals.tokens_to_embed as bigint) as tokens_to_embed,
        last_rates.tokens_per_second as last_tokens_per_second,
        totals.tokens_to_embed / last_rates.tokens_per_second / 60 as minutes,
        totals.tokens_to_embed / 1e6 * totals.price_per_million_tokens as price
    from totals
    left join last_rates
        on
            totals.embedding_model = last_rates.embedding_model
            and totals.model_revision = last_rates.model_revision

)

select * from final
