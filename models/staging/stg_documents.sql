{%- if var('elements_path') -%}
    {%- set relation = ref('chunk_bakeoff', 'base_element_documents') -%}
{%- else -%}
    {%- set relation = chunk_bakeoff.input_relation(
        'documents_path', 'documents_relation', 'base_file_documents', 'raw_documents'
    ) -%}
{%- endif -%}
{%- set present = chunk_bakeoff.column_names(relation) -%}
{%- set known = [
    'doc_id', 'title', 'text', 'media_type', 'doc_type', 'language', 'source_system', 'revision',
    'acl', 'acl_deny', 'tenant', 'content_sha256', 'updated_at',
] -%}
{#- A name that no carried column has. -#}
{%- set problem = 'chunk_bakeoff_problem' -%}
{%- set raw_text = 'cast(text as ' ~ dbt.type_string() ~ ')' -%}

with documents as (

    select * from {{ relation }}

),

typed as (

    select
        cast(doc_id as {{ dbt.type_string() }}) as doc_id,
        {{ chunk_bakeoff.optional_column(present, 'title') }} as title,
        {{ chunk_bakeoff.clean_text(raw_text, var('cleaning_steps')) }} as text,
        {{ chunk_bakeoff.optional_column(present, 'media_type', "'text/markdown'") }} as media_type,
        {{ chunk_bakeoff.optional_column(present, 'doc_type', "'document'") }} as doc_type,
        {{ chunk_bakeoff.optional_column(present, 'language', "'und'") }} as language,
        {{ chunk_bakeoff.optional_column(present, 'source_system', "'unknown'") }} as source_system,
        {{ chunk_bakeoff.optional_column(present, 'revision') }} as revision,
        {{ chunk_bakeoff.acl_column(relation) }} as acl,
        {{ chunk_bakeoff.acl_column(relation, 'acl_deny', "''") }} as acl_deny,
        {{ chunk_bakeoff.optional_column(present, 'tenant') }} as tenant,
        {{ chunk_bakeoff.optional_column(present, 'updated_at') }} as updated_at
    {%- for column in present if column not in known %},
        {{ adapter.quote(column) }}
        {%- endfor %}
    from documents

),

checked as (

    select
        *,
        case
            when
                doc_id is null or doc_id = ''
                then 'documents: a row has no doc_id; give every document an id'
            when count(*) over (partition by doc_id) > 1
                then 'documents, doc_id ' || doc_id || ': stands in more than one row; keep one'
            when
                text is null
                then
                    'documents, doc_id '
                    || doc_id
                    || ', column text: is null; give the text or drop the row'
            when contains(text, chr(0))
                then
                    'documents, doc_id '
                    || doc_id
                    || ', column text: holds a NUL character; remove it from the source'
            when len(acl) = 0
                then
                    'documents, doc_id '
                    || doc_id
                    || ', column acl: is empty; name the groups that may read it, e.g. public'
        end as {{ problem }}
    from typed

),

final as (

    select
        case
            when {{ problem }} is not null then {{ chunk_bakeoff.stop_with(problem) }}
            else doc_id
        end as doc_id,
        coalesce(title, doc_id) as title,
        text,
        coalesce(media_type, 'text/markdown') as media_type,
        coalesce(doc_type, 'document') as doc_type,
        coalesce(language, 'und') as language,
        coalesce(source_system, 'unknown') as source_system,
        coalesce(revision, left(sha256(text), 12)) as revision,
        acl,
        acl_deny,
        coalesce(tenant, '') as tenant,
        sha256(text) as content_sha256,
        try_cast(updated_at as timestamp) as updated_at
    {%- for column in present if column not in known %},
        {{ adapter.quote(column) }}
        {%- endfor %}
    from checked

)

select * from final
