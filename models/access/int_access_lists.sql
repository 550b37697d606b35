with regions as (

    select
        access_key,
        tenant,
        acl,
        acl_deny
    from {{ ref('int_access_regions') }}

),

chunks as (

    select
        access_key,
        tenant,
        acl,
        acl_deny
    from {{ ref('int_chunk_access') }}

),

final as (

    select * from regions
    union
    select * from chunks

)

select * from final
