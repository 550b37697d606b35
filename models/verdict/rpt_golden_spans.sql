with golden_spans as (

    select * from {{ ref('stg_golden_spans') }}

),

final as (

    select
        question_id,
        label_kind,
        span_index,
        doc_id,
        quote,
        status,
        length(quote) as characters,
        occurrence_count,
        label_kind = 'span' and occurrence_count > 1 as is_repeated,
        label_kind = 'anchor' and occurrence_count > 1 as over_credits
    from golden_spans

)

select * from final
