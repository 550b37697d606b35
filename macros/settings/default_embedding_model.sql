{# Name of the first declared embedding model. #}
{% macro default_embedding_model() -%}
    {{ return(var('embedding_models')[0]['name']) }}
{%- endmacro %}
