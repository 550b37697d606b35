with pages as (

    select * from {{ ref('library_pages') }}

),

final as (

    select
        page as doc_id,
        heading as title,
        content as text,
        [coalesce(readers, 'public')] as acl,
        branch,
        'leaks' as problem
    from pages

)

select * from final
