{# The type of the vectors that marts and rankings read: an array of the common dimension, or a
   list where the declared models differ in dimension. #}
{% macro vector_type(dimensions=none) -%}
    {{ return(adapter.dispatch('vector_type', 'chunk_bakeoff')(dimensions)) }}
{%- endmacro %}

{% macro default__vector_type(dimensions) -%}
    {%- set length = dimensions if dimensions is not none else chunk_bakeoff.common_dimension() -%}
    float[{{ length if length is not none }}]
{%- endmacro %}

{# The dimension that all declared models share; none where they differ. #}
{% macro common_dimension() -%}
    {%- set declared = var('embedding_models') | map(attribute='dimensions') | unique | list -%}
    {{ return(declared[0] if declared | length == 1 else none) }}
{%- endmacro %}
