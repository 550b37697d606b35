{# A column of groups or tags of a relation as a list: a list column as it is, a text as `a|b`, and
   a default where the relation has no such column. #}
{% macro acl_column(relation, name='acl', default="'public'") -%}
    {%- set ns = namespace(found=false, is_text=true) -%}
    {%- if execute -%}
        {%- for column in adapter.get_columns_in_relation(relation) if column.name | lower == name -%}
            {%- set ns.found = true -%}
            {%- set ns.is_text = column.is_string() -%}
        {%- endfor -%}
    {%- endif -%}
    {%- if not ns.found -%}
        {{ chunk_bakeoff.list_of(default) }}
    {%- elif ns.is_text -%}
        {{ chunk_bakeoff.list_of(adapter.quote(name)) }}
    {%- else -%}
        {{ chunk_bakeoff.cleaned_list(adapter.quote(name)) }}
    {%- endif -%}
{%- endmacro %}
