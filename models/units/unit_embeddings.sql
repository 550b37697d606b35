-- depends_on: {{ ref('int_unit_embedding_run') }}

with units as (

    select embedding_model, model_revision, text_kind, embedding_key from {{ ref('int_unit_texts') }}

),

stored as (

    select * from {{ ref('embedding_store') }}

),

final as (

    select
        stored.embedding_model,
        stored.text_kind,
        stored.embedding_key,
        cast(stored.embedding as {{ chunk_bakeoff.vector_type() }}) as embedding,
        stored.embedded_at,
        stored.token_count,
        stored.truncated,
        stored.model_revision,
        stored.run_id
    from units
    inner join stored
        on
            units.embedding_model = stored.embedding_model
            and units.model_revision = stored.model_revision
            and units.text_kind = stored.text_kind
            and units.embedding_key = stored.embedding_key

)

select * from final
