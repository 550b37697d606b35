{# The type of the vectors that marts and rankings read: an array of the common dimension, or a
   list where the declared models differ in dimension. #}
{% macro vector_type(dimensions=none) -%}
    {{ return(adapter.dispatch('vector_type', 'chunk_bakeoff')(dimensions)) }}
{%- endmacro %}

{% macro default__vector_type(dimensions) -%}
    {%- if dimensions is not none -%}
        float[{{ dimensions }}]
    {%- else -%}
        {%- set declared = var('embedding_models') | map(attribute='dimensions') | unique | list -%}
        float[{{ declared[0] if declared | length == 1 }}]
    {%- endif -%}
{%- endmacro %}
