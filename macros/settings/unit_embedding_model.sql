{# Name of the declared model that embeds the units of the semantic strategies. #}
{% macro unit_embedding_model() -%}
    {{ return(var('unit_embedding_model') or chunk_bakeoff.default_embedding_model()) }}
{%- endmacro %}
