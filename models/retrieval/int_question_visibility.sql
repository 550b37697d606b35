with questions as (

    select
        question_id,
        groups
    from {{ ref('stg_questions') }}

),

access_lists as (

    select distinct acl from {{ ref('int_chunks') }}

),

final as (

    select
        questions.question_id,
        access_lists.acl
    from questions
    inner join access_lists
        on
            {{ chunk_bakeoff.lists_overlap('questions.groups', 'access_lists.acl') }}
            or {{ chunk_bakeoff.lists_overlap('questions.groups', "['*']") }}

)

select * from final
