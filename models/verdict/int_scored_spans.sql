with scored as (

    select question_id from {{ ref('int_question_labels') }}
    where standing = 'scored' and label_kind = 'span'

),

golden_spans as (

    select * from {{ ref('stg_golden_spans') }}
    where label_kind = 'span'

),

final as (

    select
        golden_spans.question_id,
        golden_spans.span_index,
        golden_spans.doc_id,
        golden_spans.quote,
        golden_spans.char_start,
        golden_spans.char_end
    from golden_spans
    inner join scored on golden_spans.question_id = scored.question_id

)

select * from final
