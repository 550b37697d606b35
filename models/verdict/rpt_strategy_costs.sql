with leaderboard as (

    select * from {{ ref('rpt_strategy_leaderboard') }}

),

chunks as (

    select
        strategy,
        chunk_id,
        embedding_key
    from {{ ref('int_chunks') }}

),

chunk_tokens as (

    select
        embedding_model,
        strategy,
        chunk_id,
        token_count
    from {{ ref('int_chunk_tokens') }}

),

embedding_models as (

    select
        embedding_model,
        dimensions,
        max_tokens,
        price_per_million_tokens
    from {{ ref('int_embedding_models') }}

),

metrics as (

    select
        config_id,
        label_kind,
        metric,
        value
    from {{ ref('fct_metrics') }}
    where slice_kind = 'all' and token_budget = {{ var('default_budget') }}

),

edit_shares as (

    select * from {{ ref('int_edit_shares') }}

),

-- The same text is embedded once.
texts as (

    select
        chunks.strategy,
        chunk_tokens.embedding_model,
        chunks.embedding_key,
        any_value(chunk_tokens.token_count) as token_count
    from chunks
    inner join chunk_tokens
        on
            chunks.strategy = chunk_tokens.strategy
            and chunks.chunk_id = chunk_tokens.chunk_id
    group by chunks.strategy, chunk_tokens.embedding_model, chunks.embedding_key

),

embedding_totals as (

    select
        texts.strategy,
        texts.embedding_model,
        count(*) as texts,
        -- What lies beyond the limit of the model is not read.
        sum(least(texts.token_count, embedding_models.max_tokens)) as tokens
    from texts
    inner join embedding_models on texts.embedding_model = embedding_models.embedding_model
    group by texts.strategy, texts.embedding_model

),

budget_tokens as (

    select
        config_id,
        label_kind,
        value as context_tokens_at_budget
    from metrics
    where metric = 'context_tokens_at_budget'

),

edits as (

    select
        strategy,
        max(share) filter (where edit = 'insert_section') as reembedded_after_insert_section,
        max(share) filter (where edit = 'change_word') as reembedded_after_change_word,
        max(share) filter (where edit = 'delete_paragraph') as reembedded_after_delete_paragraph,
        max(share) filter (where edit = 'rename_heading') as reembedded_after_rename_heading
    from edit_shares
    group by strategy

),

costs as (

    select
        leaderboard.config_id,
        leaderboard.strategy,
        leaderboard.retriever,
        leaderboard.embedding_model,
        leaderboard.delivery,
        leaderboard.label_kind,
        leaderboard.recall_at_budget,
        leaderboard.chunks,
        embedding_totals.texts as texts_to_embed,
        cast(embedding_totals.tokens as bigint) as tokens_to_embed,
        embedding_totals.tokens / 1e6 * embedding_models.price_per_million_tokens as price_to_embed,
        coalesce(leaderboard.index_bytes, 0) as vector_bytes,
        edits.reembedded_after_insert_section,
        edits.reembedded_after_change_word,
        edits.reembedded_after_delete_paragraph,
        edits.reembedded_after_rename_heading,
        leaderboard.context_tokens_at_5,
        budget_tokens.context_tokens_at_budget,
        leaderboard.repeated_share_at_5,
        budget_tokens.context_tokens_at_budget
        / 1e3
        * {{ var('context_price_per_million_tokens') }} as price_per_1000_questions
    from leaderboard
    inner join budget_tokens
        on
            leaderboard.config_id = budget_tokens.config_id
            and leaderboard.label_kind = budget_tokens.label_kind
    left join embedding_models on leaderboard.embedding_model = embedding_models.embedding_model
    left join embedding_totals
        on
            leaderboard.strategy = embedding_totals.strategy
            and leaderboard.embedding_model = embedding_totals.embedding_model
    left join edits on leaderboard.strategy = edits.strategy

),

-- One is off the front when another is at least as good in both and better in one. Rounded,
-- because equal means may differ in their last bit.
dominated_by_tokens as (

    select distinct
        a.config_id,
        a.label_kind
    from costs as a
    inner join costs as b
        on
            a.label_kind = b.label_kind
            and round(b.recall_at_budget, 9) >= round(a.recall_at_budget, 9)
            and round(b.context_tokens_at_budget, 6) <= round(a.context_tokens_at_budget, 6)
            and (
                round(b.recall_at_budget, 9) > round(a.recall_at_budget, 9)
                or round(b.context_tokens_at_budget, 6) < round(a.context_tokens_at_budget, 6)
            )

),

dominated_by_size as (

    select distinct
        a.config_id,
        a.label_kind
    from costs as a
    inner join costs as b
        on
            a.label_kind = b.label_kind
            and round(b.recall_at_budget, 9) >= round(a.recall_at_budget, 9)
            and a.vector_bytes >= b.vector_bytes
            and (
                round(b.recall_at_budget, 9) > round(a.recall_at_budget, 9)
                or a.vector_bytes > b.vector_bytes
            )

),

final as (

    select
        costs.*,
        dominated_by_tokens.config_id is null as is_on_token_front,
        dominated_by_size.config_id is null as is_on_size_front
    from costs
    left join dominated_by_tokens
        on
            costs.config_id = dominated_by_tokens.config_id
            and costs.label_kind = dominated_by_tokens.label_kind
    left join dominated_by_size
        on
            costs.config_id = dominated_by_size.config_id
            and costs.label_kind = dominated_by_size.label_kind

)

select * from final
