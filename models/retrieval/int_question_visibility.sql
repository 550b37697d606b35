with questions as (

    select
        question_id,
        groups
    from {{ ref('stg_questions') }}

),

access_lists as (

    select
        acl,
        cast(row_number() over (order by acl) as integer) as access_number
    from {{ ref('int_chunks') }}
    group by acl

),

final as (

    select
        questions.question_id,
        access_lists.acl,
        access_lists.access_number
    from questions
    inner join access_lists
        on
            {{ chunk_bakeoff.lists_overlap('questions.groups', 'access_lists.acl') }}
            or {{ chunk_bakeoff.lists_overlap('questions.groups', "['*']") }}

)

select * from final
