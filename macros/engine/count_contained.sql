{# How many strings of a list occur in a text. #}
{% macro count_contained(strings, text) -%}
    {{ return(adapter.dispatch('count_contained', 'chunk_bakeoff')(strings, text)) }}
{%- endmacro %}

{% macro default__count_contained(strings, text) -%}
    len(list_filter({{ strings }}, lambda string: contains({{ text }}, string)))
{%- endmacro %}
