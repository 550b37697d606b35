{{ config(enabled=var('elements_path') is not none) }}

with elements as (

    select * from {{ ref('int_document_elements') }}

),

-- The document's own list names every group that may see some of it; what they see of it is
-- decided element by element.
final as (

    select
        doc_id,
        string_agg(text, chr(10) || chr(10) order by element_index) as text,
        any_value(revision) as revision,
        list_sort(list_distinct(flatten(list(acl)))) as acl,
        'text/plain' as media_type,
        'elements' as source_system
    from elements
    group by doc_id

)

select * from final
