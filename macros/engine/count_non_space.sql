{# Number of the characters of a text that are not white space. #}
{% macro count_non_space(expression) -%}
    {{ return(adapter.dispatch('count_non_space', 'chunk_bakeoff')(expression)) }}
{%- endmacro %}

{% macro default__count_non_space(expression) -%}
    length(regexp_replace({{ expression }}, '{{ chunk_bakeoff.white_space_class() }}+', '', 'g'))
{%- endmacro %}
