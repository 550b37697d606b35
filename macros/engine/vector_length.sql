{# Euclidean length of a stored vector. #}
{% macro vector_length(expression) -%}
    {{ return(adapter.dispatch('vector_length', 'chunk_bakeoff')(expression)) }}
{%- endmacro %}

{% macro default__vector_length(expression) -%}
    sqrt(list_dot_product({{ expression }}, {{ expression }}))
{%- endmacro %}
