with chunks as (

    select
        strategy,
        chunk_id,
        doc_id,
        char_start,
        char_end,
        context_start,
        context_end
    from {{ ref('int_strategy_chunks') }}

),

regions as (

    select * from {{ ref('int_access_regions') }}

),

-- All source that the unit or its context touches.
touched as (

    select
        chunks.strategy,
        chunks.chunk_id,
        regions.tenant,
        regions.access_key,
        any_value(regions.acl) as acl,
        any_value(regions.acl_deny) as acl_deny
    from chunks
    inner join regions
        on
            chunks.doc_id = regions.doc_id
            and (
                (chunks.char_end > regions.region_start and chunks.char_start < regions.region_end)
                or (
                    chunks.context_end > regions.region_start
                    and chunks.context_start < regions.region_end
                )
            )
    group by chunks.strategy, chunks.chunk_id, regions.tenant, regions.access_key

),

-- Who may see everything: the groups that all lists name, less those that any list denies.
combined as (

    select
        strategy,
        chunk_id,
        min(tenant) as tenant,
        -- The linter does not know lambdas of two parameters.
        {{ chunk_bakeoff.shared_by_all('acl') }} as acl, -- noqa: PRS, LT01
        {{ chunk_bakeoff.items_of_any('acl_deny') }} as acl_deny
    from touched
    group by strategy, chunk_id

),

final as (

    select
        strategy,
        chunk_id,
        tenant,
        acl,
        acl_deny,
        {{ chunk_bakeoff.access_key('tenant', 'acl', 'acl_deny') }} as access_key
    from combined

)

select * from final
