{{ config(enabled=chunk_bakeoff.is_bundled_corpus()) }}

-- A quote that stood twice would not say which place is meant.
with facts as (

    select * from {{ ref('raw_facts') }}

),

documents as (

    select
        doc_id,
        text
    from {{ ref('raw_documents') }}

),

counted as (

    select
        facts.fact_id,
        facts.doc_id,
        facts.quote,
        (length(documents.text) - length(replace(documents.text, facts.quote, '')))
        / length(facts.quote) as occurrences
    from facts
    left join documents on facts.doc_id = documents.doc_id

)

select *
from counted
where occurrences is distinct from 1
