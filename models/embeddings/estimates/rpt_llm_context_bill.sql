{%- set tokenizer = chunk_bakeoff.context_tokenizer() -%}
{%- set llm = chunk_bakeoff.llm_context() -%}

with chunks as (

    select
        strategy,
        doc_id,
        {{ chunk_bakeoff.hash_of(["'text'", 'embed_text']) }} as text_key
    from {{ ref('int_chunks') }}

),

token_counts as (

    select
        text_key,
        token_count
    from {{ ref('int_token_counts') }}
    where tokenizer = '{{ tokenizer }}'

),

documents as (

    select
        doc_id,
        {{ chunk_bakeoff.hash_of(["'text'", 'text']) }} as text_key
    from {{ ref('stg_documents') }}

),

document_tokens as (

    select
        documents.doc_id,
        token_counts.token_count
    from documents
    inner join token_counts on documents.text_key = token_counts.text_key

),

per_document as (

    select
        chunks.strategy,
        chunks.doc_id,
        count(*) as calls,
        sum(chunk_tokens.token_count) as chunk_tokens,
        max(document_tokens.token_count) as document_tokens
    from chunks
    inner join token_counts as chunk_tokens on chunks.text_key = chunk_tokens.text_key
    inner join document_tokens on chunks.doc_id = document_tokens.doc_id
    group by chunks.strategy, chunks.doc_id

),

-- The first call on a document writes it into the cache, the others read it from there.
per_strategy as (

    select
        strategy,
        cast(sum(calls) as bigint) as calls,
        cast(sum(calls * document_tokens) as bigint) as document_tokens,
        cast(sum(document_tokens) as bigint) as cached_tokens_written,
        cast(sum((calls - 1) * document_tokens) as bigint) as cached_tokens_read,
        cast(sum(chunk_tokens + calls * {{ llm.instruction_tokens }}) as bigint) as uncached_tokens,
        cast(sum(calls * {{ llm.output_tokens }}) as bigint) as output_tokens
    from per_document
    group by strategy

),

final as (

    select
        strategy,
        calls,
        document_tokens + uncached_tokens as input_tokens,
        cached_tokens_written,
        cached_tokens_read,
        uncached_tokens,
        output_tokens,
        (document_tokens + uncached_tokens) / 1e6 * {{ llm.input_price }}
        + output_tokens / 1e6 * {{ llm.output_price }} as price_without_caching,
        (
            cached_tokens_written * {{ llm.cache_write_factor }}
            + cached_tokens_read * {{ llm.cache_read_factor }}
            + uncached_tokens
        ) / 1e6 * {{ llm.input_price }}
        + output_tokens / 1e6 * {{ llm.output_price }} as price_with_caching
    from per_strategy

)

select * from final
