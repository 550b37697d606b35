{# A column as text, or a default where the relation has no such column.
   `columns`: the lower-case names of the relation's columns. #}
{% macro optional_column(columns, name, default='null') -%}
    {%- if name in columns -%}
        cast({{ adapter.quote(name) }} as {{ dbt.type_string() }})
    {%- else -%}
        cast({{ default }} as {{ dbt.type_string() }})
    {%- endif -%}
{%- endmacro %}

{# Lower-case names of a relation's columns; empty while dbt parses. #}
{% macro column_names(relation) -%}
    {%- if not execute -%}{{ return([]) }}{%- endif -%}
    {{ return(adapter.get_columns_in_relation(relation) | map(attribute='name') | map('lower') | list) }}
{%- endmacro %}
