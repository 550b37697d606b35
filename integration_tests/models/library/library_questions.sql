with asked as (

    select * from {{ ref('library_asked') }}

),

final as (

    select
        question_id,
        question,
        string_split(groups, '|') as groups,
        case when groups is null then ['public only'] else [] end as tags
    from asked

)

select * from final
