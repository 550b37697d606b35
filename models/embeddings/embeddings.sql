-- depends_on: {{ ref('int_embedding_run') }}

with stored as (

    select * from {{ ref('embedding_store') }}

),

embedding_models as (

    select
        embedding_model,
        model_revision,
        encoded_by,
        encoder_revision,
        dimensions
    from {{ ref('int_embedding_models') }}

),

-- A truncation shares the stored vectors of the model that encodes for it.
shared as (

    select
        embedding_models.embedding_model,
        embedding_models.model_revision,
        stored.text_kind,
        stored.embedding_key,
        embedding_models.dimensions < stored.dimensions as is_truncation,
        {{ chunk_bakeoff.first_dimensions('stored.embedding', 'embedding_models.dimensions') }}
            as embedding,
        stored.embedded_at,
        stored.token_count,
        stored.truncated,
        stored.run_id
    from stored
    inner join embedding_models
        on
            stored.embedding_model = embedding_models.encoded_by
            and stored.model_revision = embedding_models.encoder_revision

),

measured as (

    select
        *,
        case when is_truncation then {{ chunk_bakeoff.vector_length('embedding') }} end as norm
    from shared

),

-- Nothing is left of a vector whose first dimensions are all zero.
final as (

    select
        embedding_model,
        text_kind,
        embedding_key,
        cast(
            case
                when is_truncation then {{ chunk_bakeoff.divide_vector('embedding', 'norm') }}
                else embedding
            end as {{ chunk_bakeoff.vector_type() }}
        ) as embedding,
        embedded_at,
        token_count,
        truncated,
        model_revision,
        run_id
    from measured
    where not is_truncation or norm > 0

)

select * from final
