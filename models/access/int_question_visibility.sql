with askers as (

    select
        question_id,
        tenant,
        groups
    from {{ ref('int_asker_groups') }}

),

access_lists as (

    select
        access_key,
        tenant,
        acl,
        acl_deny
    from {{ ref('int_access_lists') }}

),

final as (

    select
        askers.question_id,
        access_lists.access_key
    from askers
    inner join access_lists
        on
            -- A tenant is a hard boundary: `*` does not cross it.
            askers.tenant = access_lists.tenant
            -- Nobody may see what no group may see.
            and len(access_lists.acl) > 0
            and (
                {{ chunk_bakeoff.lists_overlap('askers.groups', "['*']") }}
                or (
                    {{ chunk_bakeoff.lists_overlap('askers.groups', 'access_lists.acl') }}
                    and not
                    {{ chunk_bakeoff.lists_overlap('askers.groups', 'access_lists.acl_deny') }}
                )
            )

)

select * from final
