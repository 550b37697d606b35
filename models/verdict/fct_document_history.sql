{{ config(materialized='incremental', incremental_strategy='append', full_refresh=false) }}

with runs as (

    select
        run_id,
        run_at
    from {{ ref('int_run') }}

),

documents as (

    select
        doc_id,
        doc_type,
        content_sha256,
        length(text) as characters
    from {{ ref('stg_documents') }}

),

final as (

    select
        runs.run_id,
        runs.run_at,
        documents.doc_id,
        documents.doc_type,
        documents.content_sha256,
        documents.characters
    from documents
    cross join runs

)

select * from final
