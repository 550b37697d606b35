with spans as (

    select
        question_id,
        doc_id,
        char_start,
        char_end
    from {{ ref('int_scored_spans') }}

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
