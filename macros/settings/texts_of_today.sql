{# All texts that need a vector: of chunks and questions and, where a strategy compares them, of units. #}
{% macro texts_of_today() -%}
    select
        embedding_model,
        model_revision,
        text_kind,
        embedding_key,
        text
    from {{ ref('chunk_bakeoff', 'int_texts') }}
    {%- if 'semantic' in var('strategies') or 'cluster_semantic' in var('strategies') %}
    union
    select
        embedding_model,
        model_revision,
        text_kind,
        embedding_key,
        text
    from {{ ref('chunk_bakeoff', 'int_unit_texts') }}
    {%- endif %}
{%- endmacro %}
