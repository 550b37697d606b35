with questions as (

    select
        question_id,
        question_form,
        language,
        split,
        tags
    from {{ ref('stg_questions') }}

),

golden_spans as (

    select
        question_id,
        doc_id
    from {{ ref('stg_golden_spans') }}

),

documents as (

    select
        doc_id,
        doc_type
    from {{ ref('stg_documents') }}

),

final as (

    select
        question_id,
        'all' as slice_kind,
        'all' as slice_value
    from questions
    union all
    select
        question_id,
        'question_form' as slice_kind,
        question_form as slice_value
    from questions
    union all
    select
        question_id,
        'language' as slice_kind,
        language as slice_value
    from questions
    union all
    select
        question_id,
        'split' as slice_kind,
        split as slice_value
    from questions
    union all
    select
        question_id,
        'tag' as slice_kind,
        {{ chunk_bakeoff.explode('tags') }} as slice_value
    from questions
    union all
    -- A question with evidence in several types of document counts in each.
    select distinct
        golden_spans.question_id,
        'doc_type' as slice_kind,
        documents.doc_type as slice_value
    from golden_spans
    inner join documents on golden_spans.doc_id = documents.doc_id

)

select * from final
