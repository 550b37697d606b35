{# The access list of a relation of documents as a list: a list column as it is, a text as `a|b`,
   and `public` where the relation has no such column. #}
{% macro acl_column(relation) -%}
    {%- set ns = namespace(found=false, is_text=true) -%}
    {%- if execute -%}
        {%- for column in adapter.get_columns_in_relation(relation) if column.name | lower == 'acl' -%}
            {%- set ns.found = true -%}
            {%- set ns.is_text = column.is_string() -%}
        {%- endfor -%}
    {%- endif -%}
    {%- if not ns.found and chunk_bakeoff.column_names(relation) -%}
        {{ chunk_bakeoff.list_of("'public'") }}
    {%- elif ns.is_text -%}
        {{ chunk_bakeoff.list_of('acl') }}
    {%- else -%}
        list_sort(list_distinct(coalesce(acl, [])))
    {%- endif -%}
{%- endmacro %}
