{{ config(enabled=chunk_bakeoff.shaped_deliveries() | length > 0) }}

with contexts as (

    select * from {{ ref('int_expanded_contexts') }}

),

blocks as (

    select * from {{ ref('int_merged_contexts') }}

),

block_texts as (

    select
        doc_id,
        block_start,
        block_end,
        block_prefix,
        text_key
    from {{ ref('int_block_texts') }}

),

token_counts as (

    select
        text_key,
        token_count
    from {{ ref('int_block_tokens') }}

),

-- What a document's share of the prompt comes to once the context of a rank has joined it.
document_totals as (

    select
        blocks.config_id,
        blocks.question_id,
        blocks.doc_id,
        blocks.at_rank,
        sum(token_counts.token_count) as tokens
    from blocks
    inner join block_texts
        on
            blocks.doc_id = block_texts.doc_id
            and blocks.block_start = block_texts.block_start
            and blocks.block_end = block_texts.block_end
            and blocks.block_prefix = block_texts.block_prefix
    inner join token_counts on block_texts.text_key = token_counts.text_key
    group by blocks.config_id, blocks.question_id, blocks.doc_id, blocks.at_rank

),

additions as (

    select
        config_id,
        question_id,
        at_rank,
        tokens - lag(tokens, 1, 0) over (
            partition by config_id, question_id, doc_id order by at_rank
        ) as added_tokens
    from document_totals

),

final as (

    select
        contexts.config_id,
        contexts.question_id,
        contexts.rank,
        contexts.context_id,
        contexts.chunk_id,
        contexts.doc_id,
        contexts.context_start,
        contexts.context_end,
        contexts.score,
        cast(additions.added_tokens as bigint) as context_tokens,
        sum(additions.added_tokens) over (
            partition by contexts.config_id, contexts.question_id
            order by contexts.rank
            rows unbounded preceding
        ) as cumulative_tokens,
        contexts.embedding_key,
        contexts.access_key
    from contexts
    inner join additions
        on
            contexts.config_id = additions.config_id
            and contexts.question_id = additions.question_id
            and contexts.rank = additions.at_rank

)

select * from final
