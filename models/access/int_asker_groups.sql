with recursive questions as (

    select
        question_id,
        tenant,
        {{ chunk_bakeoff.explode('groups') }} as group_name
    from {{ ref('stg_questions') }}

),

members as (
    {{ chunk_bakeoff.group_members() }}
),

-- `union` drops repetitions, so a circle of groups ends too.
inherited as (

    select
        question_id,
        tenant,
        group_name
    from questions

    union

    select
        inherited.question_id,
        inherited.tenant,
        members.group_name
    from inherited
    inner join members on inherited.group_name = members.member

),

final as (

    select
        question_id,
        tenant,
        list_sort(list(group_name)) as groups
    from inherited
    group by question_id, tenant

)

select * from final
