{{ config(enabled=var('elements_path') is not none) }}

{%- if var('elements_path') and var('cleaning_steps') -%}
    {{ exceptions.raise_compiler_error(
        'cleaning_steps would move the elements of elements_path; leave one of the two out'
    ) }}
{%- endif %}

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
        'elements' as source_system,
        list(
            struct_pack(
                kind := kind,
                section_path := section_path,
                acl := acl,
                char_start := char_start,
                char_end := char_end
            )
            order by element_index
        ) as given_elements
    from elements
    group by doc_id

)

select * from final
