-- depends_on: {{ ref('int_embedding_run') }}

with stored as (

    select * from {{ ref('embedding_store') }}

),

embedding_models as (

    select
        embedding_model,
        model_revision
    from {{ ref('int_embedding_models') }}

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
    from stored
    inner join embedding_models
        on
            stored.embedding_model = embedding_models.embedding_model
            and stored.model_revision = embedding_models.model_revision

)

select * from final
