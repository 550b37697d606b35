-- Every delivered context comes from a document that one of the asker's groups may read. This is
-- worked out from the lists of the documents, not from the model that the ranking is filtered by.
with retrievals as (

    select distinct
        question_id,
        doc_id
    from {{ ref('fct_retrievals') }}

),

questions as (

    select
        question_id,
        tenant,
        groups
    from {{ ref('int_asker_groups') }}

),

documents as (

    select
        doc_id,
        tenant,
        acl,
        acl_deny
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
    not coalesce(
        questions.tenant = documents.tenant
        and (
            (
                {{ chunk_bakeoff.lists_overlap('questions.groups', 'documents.acl') }}
                and not {{ chunk_bakeoff.lists_overlap('questions.groups', 'documents.acl_deny') }}
            )
            or {{ chunk_bakeoff.lists_overlap('questions.groups', "['*']") }}
        ),
        false
    )
