{# Cosine of two stored vectors. They have length 1, so the inner product is the cosine. #}
{% macro similarity(left, right) -%}
    {{ return(adapter.dispatch('similarity', 'chunk_bakeoff')(left, right)) }}
{%- endmacro %}

{% macro default__similarity(left, right) -%}
    {%- if chunk_bakeoff.common_dimension() is not none -%}
        array_inner_product({{ left }}, {{ right }})
    {%- else -%}
        list_inner_product({{ left }}, {{ right }})
    {%- endif -%}
{%- endmacro %}
