with visibility as (

    select
        question_id,
        access_key
    from {{ ref('int_question_visibility') }}

),

seen as (

    select
        question_id,
        list_sort(list(access_key)) as access_keys
    from visibility
    group by question_id

),

final as (

    select
        question_id,
        access_keys,
        cast(dense_rank() over (order by access_keys) as integer) as audience
    from seen

)

select * from final
