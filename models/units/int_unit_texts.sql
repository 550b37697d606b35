with units as (

    select distinct text from {{ ref('int_units') }}

),

unit_model as (

    select embedding_model, model_revision, passage_prefix from {{ ref('int_embedding_models') }}
    where embedding_model = '{{ chunk_bakeoff.unit_embedding_model() }}'

),

token_counts as (

    select text_key, token_count from {{ ref('int_unit_token_counts') }}

),

stored as (

    select embedding_model, model_revision, embedding_key, embedded_at from {{ ref('embedding_store') }}
    where text_kind = 'passage'

),

-- The key is that of a chunk with the same text: `embeddings` finds the vector under it.
needed as (

    select
        unit_model.embedding_model,
        unit_model.model_revision,
        {{ chunk_bakeoff.hash_of(["'text'", 'units.text']) }} as embedding_key,
        unit_model.passage_prefix || units.text as text,
        {{ chunk_bakeoff.hash_of(["'text'", 'unit_model.passage_prefix || units.text']) }} as text_key
    from units
    cross join unit_model

),

final as (

    select
        needed.embedding_model,
        needed.model_revision,
        'passage' as text_kind,
        needed.embedding_key,
        needed.text,
        cast(null as bigint) as pool_start,
        cast(null as bigint) as pool_end,
        token_counts.token_count,
        stored.embedded_at
    from needed
    inner join token_counts on needed.text_key = token_counts.text_key
    left join stored
        on
            needed.embedding_model = stored.embedding_model
            and needed.model_revision = stored.model_revision
            and needed.embedding_key = stored.embedding_key

)

select * from final
