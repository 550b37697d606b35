with documents as (

    select
        doc_id,
        tenant,
        acl,
        acl_deny,
        length(text) as characters
    from {{ ref('stg_documents') }}

),

{% if var('elements_path') %}
elements as (

    select
        doc_id,
        char_start,
        char_end,
        acl
    from {{ ref('int_document_elements') }}

),
{% endif %}

regions as (

    {% if var('elements_path') %}
    select
        documents.doc_id,
        elements.char_start as region_start,
        elements.char_end as region_end,
        documents.tenant,
        elements.acl,
        documents.acl_deny
    from documents
    inner join elements on documents.doc_id = elements.doc_id
    {% else %}
    select
        doc_id,
        cast(0 as bigint) as region_start,
        cast(characters as bigint) as region_end,
        tenant,
        acl,
        acl_deny
    from documents
    {% endif %}

),

final as (

    select
        *,
        {{ chunk_bakeoff.access_key('tenant', 'acl', 'acl_deny') }} as access_key
    from regions

)

select * from final
