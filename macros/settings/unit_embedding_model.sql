{# Name of the declared model that embeds the units of the semantic strategies. #}
{% macro unit_embedding_model() -%}
    {%- set name = var('unit_embedding_model') or chunk_bakeoff.default_embedding_model() -%}
    {%- for declared in var('embedding_models') if declared.name == name and declared.get('truncation_of') -%}
        {{ exceptions.raise_compiler_error(
            'unit_embedding_model: ' ~ name ~ ' is a truncation and has no vectors of its own; name ' ~ declared.truncation_of
        ) }}
    {%- endfor -%}
    {{ return(name) }}
{%- endmacro %}
