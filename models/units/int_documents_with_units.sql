with documents as (

    select * from {{ ref('stg_documents') }}

),

units as (

    select
        doc_id,
        unit_index,
        char_start,
        char_end,
        {{ chunk_bakeoff.hash_of(["'text'", 'text']) }} as embedding_key
    from {{ ref('int_units') }}

),

unit_embeddings as (

    select embedding_key, embedding, model_revision from {{ ref('unit_embeddings') }}

),

-- A unit that could not be embedded is in embedding_failures; its neighbours take its place.
collected as (

    select
        units.doc_id,
        max(unit_embeddings.model_revision) as unit_model_revision,
        {{ chunk_bakeoff.list_in_order('units.char_start', 'units.unit_index') }} as unit_starts,
        {{ chunk_bakeoff.list_in_order('units.char_end', 'units.unit_index') }} as unit_ends,
        {{ chunk_bakeoff.list_in_order('unit_embeddings.embedding', 'units.unit_index') }} as unit_vectors
    from units
    inner join unit_embeddings on units.embedding_key = unit_embeddings.embedding_key
    group by units.doc_id

),

final as (

    select
        documents.*,
        collected.unit_model_revision,
        collected.unit_starts,
        collected.unit_ends,
        collected.unit_vectors
    from documents
    left join collected on documents.doc_id = collected.doc_id

)

select * from final
