with chunk_tokens as (

    select
        embedding_model,
        strategy,
        chunk_id
    from {{ ref('int_chunk_tokens') }}
    where over_limit

),

chunks as (

    select
        strategy,
        chunk_id,
        embedding_key,
        embed_text
    from {{ ref('int_chunks') }}

),

final as (

    select distinct
        chunk_tokens.embedding_model,
        chunks.embedding_key,
        chunks.embed_text
    from chunk_tokens
    inner join chunks
        on
            chunk_tokens.strategy = chunks.strategy
            and chunk_tokens.chunk_id = chunks.chunk_id

)

select * from final
