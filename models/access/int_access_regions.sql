with documents as (

    select doc_id, tenant, acl, acl_deny, length(text) as characters from {{ ref('stg_documents') }}

),

final as (

    select
        doc_id,
        cast(0 as bigint) as region_start,
        cast(characters as bigint) as region_end,
        tenant,
        acl,
        acl_deny,
        {{ chunk_bakeoff.access_key('tenant', 'acl', 'acl_deny') }} as access_key
    from documents

)

select * from final
