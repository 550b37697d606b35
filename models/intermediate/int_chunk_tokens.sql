{%- set passage = 'embedding_models.passage_prefix || chunks.embed_text' -%}

with chunks as (

    select
        strategy,
        chunk_id,
        embed_text
    from {{ ref('int_chunks') }}

),

embedding_models as (

    select
        embedding_model,
        encoded_by,
        passage_prefix,
        max_tokens
    from {{ ref('int_embedding_models') }}

),

token_counts as (

    select
        tokenizer,
        text_key,
        token_count,
        unknown_count,
        unknown_characters
    from {{ ref('int_token_counts') }}

),

keyed as (

    select
        embedding_models.embedding_model,
        embedding_models.encoded_by,
        embedding_models.max_tokens,
        chunks.strategy,
        chunks.chunk_id,
        length({{ passage }}) as characters,
        {{ chunk_bakeoff.hash_of(["'text'", passage]) }} as text_key
    from chunks
    cross join embedding_models

),

final as (

    select
        keyed.embedding_model,
        keyed.strategy,
        keyed.chunk_id,
        token_counts.token_count,
        token_counts.token_count > keyed.max_tokens as over_limit,
        token_counts.unknown_count,
        -- A word the tokenizer does not know is one token however long it is: the vector says
        -- little about such a text, and a token limit does not bound it.
        (
            token_counts.unknown_count > {{ var('unknown_share_limit') }} * token_counts.token_count
            or token_counts.unknown_characters > {{ var('unknown_share_limit') }} * keyed.characters
        ) as is_mostly_unknown
    from keyed
    inner join token_counts
        on
            keyed.encoded_by = token_counts.tokenizer
            and keyed.text_key = token_counts.text_key

)

select * from final
