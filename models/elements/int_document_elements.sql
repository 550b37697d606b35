{{ config(enabled=var('elements_path') is not none) }}

with elements as (

    select * from {{ ref('base_file_elements') }}

),

final as (

    select
        doc_id,
        element_id,
        row_number() over (partition by doc_id order by ordinal) - 1 as element_index,
        revision,
        {{ chunk_bakeoff.list_of('acl') }} as acl,
        section_path,
        kind,
        char_start,
        char_end,
        text
    from elements

)

select * from final
