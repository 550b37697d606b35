{# Name of the declared model that embeds the units of the semantic strategies. #}
{% macro unit_embedding_model() -%}
    {%- set name = var('unit_embedding_model') or chunk_bakeoff.default_embedding_model() -%}
    {%- set declared = var('embedding_models') | map(attribute='name') | list -%}
    {%- if var('unit_embedding_model') and name not in declared -%}
        {{ exceptions.raise_compiler_error(
            "The setting `unit_embedding_model` is `" ~ name ~ "`, which is not declared; embedding_models has "
            ~ declared ~ "."
        ) }}
    {%- endif -%}
    {%- for model in var('embedding_models') if model.name == name and model.get('truncation_of') -%}
        {{ exceptions.raise_compiler_error(
            'unit_embedding_model: ' ~ name ~ ' is a truncation and has no vectors of its own; name ' ~ model.truncation_of
        ) }}
    {%- endfor -%}
    {{ return(name) }}
{%- endmacro %}
