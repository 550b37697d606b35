with questions as (

    select
        question_id,
        answerable
    from {{ ref('stg_questions') }}

),

golden_spans as (

    select
        question_id,
        label_kind,
        doc_id,
        status,
        char_start,
        char_end
    from {{ ref('stg_golden_spans') }}

),

regions as (

    select
        doc_id,
        region_start,
        region_end,
        access_key
    from {{ ref('int_access_regions') }}

),

visibility as (

    select
        question_id,
        access_key
    from {{ ref('int_question_visibility') }}

),

-- Evidence is visible where all source that it touches is; without a place, its whole document.
labels as (

    select
        golden_spans.question_id,
        golden_spans.label_kind,
        bool_and(golden_spans.status = 'ok') as is_resolved,
        bool_and(regions.doc_id is null or visibility.access_key is not null) as is_visible
    from golden_spans
    inner join questions on golden_spans.question_id = questions.question_id
    left join regions
        on
            golden_spans.doc_id = regions.doc_id
            and regions.region_start < coalesce(golden_spans.char_end, regions.region_end)
            and regions.region_end > coalesce(golden_spans.char_start, regions.region_start)
    left join visibility
        on
            golden_spans.question_id = visibility.question_id
            and regions.access_key = visibility.access_key
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
