with scored as (

    select question_id from {{ ref('int_question_labels') }}
    where standing = 'scored' and label_kind = 'span'

),

spans as (

    select
        golden_spans.question_id,
        golden_spans.doc_id,
        golden_spans.char_start,
        golden_spans.char_end
    from {{ ref('stg_golden_spans') }} as golden_spans
    inner join scored on golden_spans.question_id = scored.question_id
    where golden_spans.label_kind = 'span'

),

marked as (

    select
        *,
        coalesce(char_start > max(char_end) over (
            partition by question_id, doc_id
            order by char_start, char_end
            rows between unbounded preceding and 1 preceding
        ), true) as opens_region
    from spans

),

numbered as (

    select
        *,
        sum(cast(opens_region as integer)) over (
            partition by question_id, doc_id order by char_start, char_end rows unbounded preceding
        ) as region_number
    from marked

),

final as (

    select
        question_id,
        doc_id,
        min(char_start) as gold_start,
        max(char_end) as gold_end
    from numbered
    group by question_id, doc_id, region_number

)

select * from final
