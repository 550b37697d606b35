{%- set tokenizer = chunk_bakeoff.context_tokenizer() -%}

with chunks as (

    select * from {{ ref('int_strategy_chunks') }}

),

token_counts as (

    select
        text_key,
        token_count
    from {{ ref('int_token_counts') }}
    where tokenizer = '{{ tokenizer }}'

),

access as (

    select
        strategy,
        chunk_id,
        acl,
        access_key
    from {{ ref('int_chunk_access') }}

),

keyed as (

    select
        *,
        {{ chunk_bakeoff.hash_of(["'text'", 'context_text']) }} as context_key
    from chunks

),

final as (

    select
        keyed.strategy,
        keyed.chunk_id,
        keyed.doc_id,
        keyed.revision,
        access.acl,
        access.access_key,
        keyed.chunk_index,
        keyed.char_start,
        keyed.char_end,
        keyed.body,
        keyed.embed_text,
        keyed.heading_path,
        keyed.context_id,
        keyed.context_start,
        keyed.context_end,
        keyed.context_text,
        token_counts.token_count as context_tokens,
        keyed.embedding_key,
        keyed.embed_window,
        keyed.pool_start,
        keyed.pool_end,
        keyed.parent_start,
        keyed.parent_end,
        keyed.strategy_version,
        cast(keyed.settings as json) as settings
    from keyed
    inner join access
        on
            keyed.strategy = access.strategy
            and keyed.chunk_id = access.chunk_id
    left join token_counts on keyed.context_key = token_counts.text_key

)

select * from final
