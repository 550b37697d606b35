{# The items that two lists share. #}
{% macro lists_shared(left, right) -%}
    {{ return(adapter.dispatch('lists_shared', 'chunk_bakeoff')(left, right)) }}
{%- endmacro %}

{% macro default__lists_shared(left, right) -%}
    list_intersect({{ left }}, {{ right }})
{%- endmacro %}
