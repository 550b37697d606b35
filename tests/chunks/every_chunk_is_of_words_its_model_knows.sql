{{ config(severity='warn') }}

-- A tokenizer has one and the same token for all words that it does not know, so that the vector
-- of a chunk of such words says little about it.
with chunk_tokens as (

    select * from {{ ref('int_chunk_tokens') }}

),

chunks as (

    select
        strategy,
        chunk_id,
        doc_id,
        char_start,
        char_end
    from {{ ref('int_chunks') }}

)

select
    chunk_tokens.embedding_model,
    chunks.strategy,
    chunks.doc_id,
    chunks.char_start,
    chunks.char_end,
    chunk_tokens.token_count,
    chunk_tokens.unknown_count
from chunk_tokens
inner join chunks
    on
        chunk_tokens.strategy = chunks.strategy
        and chunk_tokens.chunk_id = chunks.chunk_id
where chunk_tokens.is_mostly_unknown
