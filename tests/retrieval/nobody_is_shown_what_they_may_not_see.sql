-- Every delivered context comes from a document that one of the asker's groups may read. This is
-- worked out from documents and questions, not from the model that the ranking is filtered by.
with retrievals as (

    select distinct
        question_id,
        doc_id
    from {{ ref('fct_retrievals') }}

),

questions as (

    select
        question_id,
        groups
    from {{ ref('stg_questions') }}

),

documents as (

    select
        doc_id,
        acl
    from {{ ref('stg_documents') }}

)

select
    retrievals.question_id,
    questions.groups,
    retrievals.doc_id,
    documents.acl
from retrievals
inner join questions on retrievals.question_id = questions.question_id
inner join documents on retrievals.doc_id = documents.doc_id
where
    not {{ chunk_bakeoff.lists_overlap('questions.groups', 'documents.acl') }}
    and not {{ chunk_bakeoff.lists_overlap('questions.groups', "['*']") }}
