{# Cosine of two stored vectors. They have length 1, so the inner product is the cosine. #}
{% macro similarity(left, right) -%}
    {{ return(adapter.dispatch('similarity', 'chunk_bakeoff')(left, right)) }}
{%- endmacro %}

{% macro default__similarity(left, right) -%}
    array_inner_product({{ left }}, {{ right }})
{%- endmacro %}
