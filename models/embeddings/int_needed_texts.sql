with chunks as (

    select distinct
        embedding_key,
        embed_text,
        embed_window,
        pool_start,
        pool_end
    from {{ ref('int_chunks') }}

),

questions as (

    select question from {{ ref('stg_questions') }}

),

embedding_models as (

    select
        embedding_model,
        model_revision,
        query_prefix,
        passage_prefix
    from {{ ref('int_embedding_models') }}
    where embedding_model = encoded_by

),

token_counts as (

    select
        tokenizer,
        text_key,
        token_count
    from {{ ref('int_token_counts') }}

),

needed as (

    select
        embedding_models.embedding_model,
        embedding_models.model_revision,
        'passage' as text_kind,
        chunks.embedding_key,
        embedding_models.passage_prefix || coalesce(chunks.embed_window, chunks.embed_text) as text,
        -- What stands at the start of the window takes in the prefix.
        case
            when chunks.pool_start = 0 then 0
            else chunks.pool_start + length(embedding_models.passage_prefix)
        end as pool_start,
        chunks.pool_end + length(embedding_models.passage_prefix) as pool_end
    from chunks
    cross join embedding_models

    union all

    select distinct
        embedding_models.embedding_model,
        embedding_models.model_revision,
        'query' as text_kind,
        {{ chunk_bakeoff.hash_of(["'text'", 'questions.question']) }} as embedding_key,
        embedding_models.query_prefix || questions.question as text,
        cast(null as bigint) as pool_start,
        cast(null as bigint) as pool_end
    from questions
    cross join embedding_models

),

keyed as (

    select
        *,
        {{ chunk_bakeoff.hash_of(["'text'", 'text']) }} as text_key
    from needed

),

final as (

    select
        keyed.embedding_model,
        keyed.model_revision,
        keyed.text_kind,
        keyed.embedding_key,
        keyed.text,
        keyed.pool_start,
        keyed.pool_end,
        token_counts.token_count
    from keyed
    -- A text without a count stays: a test shows it.
    left join token_counts
        on
            keyed.embedding_model = token_counts.tokenizer
            and keyed.text_key = token_counts.text_key
    -- Nothing has to be embedded where no retriever ranks vectors.
    where {{ chunk_bakeoff.needs_vectors() }}

)

select * from final
