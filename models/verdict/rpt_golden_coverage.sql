with slices as (

    select
        question_id,
        slice_value as doc_type
    from {{ ref('int_question_slices') }}
    where slice_kind = 'doc_type'

),

questions as (

    select
        question_id,
        question_form,
        split
    from {{ ref('stg_questions') }}

),

labels as (

    select
        question_id,
        bool_or(standing = 'scored') as is_scored
    from {{ ref('int_question_labels') }}
    group by question_id

),

doc_types as (

    select
        doc_type,
        count(*) as documents
    from {{ ref('stg_documents') }}
    group by doc_type

),

forms as (

    select distinct question_form from questions

),

counted as (

    select
        slices.doc_type,
        questions.question_form,
        count(*) as questions,
        count(*) filter (where labels.is_scored) as scored,
        count(*) filter (where questions.split = 'holdout') as holdout
    from slices
    inner join questions on slices.question_id = questions.question_id
    inner join labels on slices.question_id = labels.question_id
    group by slices.doc_type, questions.question_form

),

-- Every type of document against every form of question, so that gaps show.
final as (

    select
        doc_types.doc_type,
        forms.question_form,
        doc_types.documents,
        coalesce(counted.questions, 0) as questions,
        coalesce(counted.scored, 0) as scored,
        coalesce(counted.holdout, 0) as holdout,
        coalesce(counted.scored, 0) = 0 as is_gap,
        coalesce(counted.scored, 0) < {{ var('smallest_slice') }} as is_too_small
    from doc_types
    cross join forms
    left join counted
        on
            doc_types.doc_type = counted.doc_type
            and forms.question_form = counted.question_form

)

select * from final
