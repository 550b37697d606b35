{# Which group is part of which: a relation of the user, the bundled seed with the bundled corpus,
   or nothing. #}
{% macro group_members() -%}
    {%- if var('group_members_relation') -%}
        select member, group_name from {{ chunk_bakeoff.user_relation(var('group_members_relation')) }}
    {%- elif not (var('documents_path') or var('documents_relation') or var('elements_path')) -%}
        select member, group_name from {{ ref('chunk_bakeoff', 'group_members') }}
    {%- else -%}
        select cast(null as {{ dbt.type_string() }}) as member, cast(null as {{ dbt.type_string() }}) as group_name
        where false
    {%- endif -%}
{%- endmacro %}
