with questions as (

    select
        question_id,
        groups,
        answerable
    from {{ ref('stg_questions') }}

),

golden_spans as (

    select
        question_id,
        label_kind,
        doc_id,
        status
    from {{ ref('stg_golden_spans') }}

),

documents as (

    select
        doc_id,
        acl
    from {{ ref('stg_documents') }}

),

labels as (

    select
        golden_spans.question_id,
        golden_spans.label_kind,
        bool_and(golden_spans.status = 'ok') as is_resolved,
        bool_and(
            documents.doc_id is null
            or {{ chunk_bakeoff.lists_overlap('questions.groups', 'documents.acl') }}
            or {{ chunk_bakeoff.lists_overlap('questions.groups', "['*']") }}
        ) as is_visible
    from golden_spans
    inner join questions on golden_spans.question_id = questions.question_id
    left join documents on golden_spans.doc_id = documents.doc_id
    group by golden_spans.question_id, golden_spans.label_kind

),

label_kinds as (

    select distinct label_kind from labels

),

final as (

    select
        questions.question_id,
        label_kinds.label_kind,
        case
            when not questions.answerable then 'unanswerable'
            when labels.question_id is null then 'no_evidence'
            when not labels.is_visible then 'access_blocked'
            when not labels.is_resolved then 'unresolved'
            else 'scored'
        end as standing
    from questions
    cross join label_kinds
    left join labels
        on
            questions.question_id = labels.question_id
            and label_kinds.label_kind = labels.label_kind

)

select * from final
