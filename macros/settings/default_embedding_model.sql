{# Name of the first declared embedding model; `lexical_units` where none is declared. #}
{% macro default_embedding_model() -%}
    {{ return(var('embedding_models')[0]['name'] if var('embedding_models') else 'lexical_units') }}
{%- endmacro %}
