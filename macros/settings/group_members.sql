{# Which group is part of which: a relation of the user, the bundled seed with the bundled corpus,
   or nothing. #}
{% macro group_members() -%}
    {%- if var('group_members_relation') -%}
        select member, group_name from {{ chunk_bakeoff.relation_named(var('group_members_relation')) }}
    {%- elif var('documents_path') is none and var('documents_relation') is none -%}
        select member, group_name from {{ ref('chunk_bakeoff', 'group_members') }}
    {%- else -%}
        select cast(null as {{ dbt.type_string() }}) as member, cast(null as {{ dbt.type_string() }}) as group_name
        where false
    {%- endif -%}
{%- endmacro %}
