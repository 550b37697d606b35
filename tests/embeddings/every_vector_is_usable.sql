-- Every vector of the declared models is finite, has length 1 and the declared number of
-- dimensions. It reads the store, because the view `embeddings` casts to the declared type.
-- depends_on: {{ ref('int_embedding_run') }}
with stored as (

    select
        embedding_model,
        model_revision,
        text_kind,
        embedding_key,
        dimensions,
        len(embedding) as components,
        {{ chunk_bakeoff.vector_length('embedding') }} as vector_length
    from {{ ref('embedding_store') }}

),

embedding_models as (

    select
        embedding_model,
        model_revision,
        dimensions
    from {{ ref('int_embedding_models') }}

)

select
    stored.embedding_model,
    stored.text_kind,
    stored.embedding_key,
    stored.components,
    embedding_models.dimensions as declared_dimensions,
    stored.vector_length
from stored
inner join embedding_models
    on
        stored.embedding_model = embedding_models.embedding_model
        and stored.model_revision = embedding_models.model_revision
where
    stored.components != embedding_models.dimensions
    or stored.dimensions != embedding_models.dimensions
    or not isfinite(stored.vector_length)
    or abs(stored.vector_length - 1) > 1e-3
