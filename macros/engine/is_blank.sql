{# Whether a text holds nothing but white space. #}
{% macro is_blank(expression) -%}
    {{ return(adapter.dispatch('is_blank', 'chunk_bakeoff')(expression)) }}
{%- endmacro %}

{% macro default__is_blank(expression) -%}
    not regexp_matches({{ expression }}, '{{ chunk_bakeoff.white_space_class(negated=true) }}')
{%- endmacro %}
