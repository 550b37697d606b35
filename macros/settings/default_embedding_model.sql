{# Name of the first declared embedding model; `lexical_units` where none is declared. #}
{% macro default_embedding_model() -%}
    {%- set declared = var('embedding_models') -%}
    {%- if declared is mapping or declared is string or (declared and declared[0] is not mapping) -%}
        {{ exceptions.raise_compiler_error(
            "The setting `embedding_models` must be a list of models, each with its settings, e.g. "
            ~ "[{name: ..., source: ..., dimensions: ..., max_tokens: ...}]; put [] around a single one."
        ) }}
    {%- endif -%}
    {{ return(declared[0]['name'] if declared else 'lexical_units') }}
{%- endmacro %}
