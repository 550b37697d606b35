{# The rerankers in use. #}
{% macro needed_rerankers() -%}
    {{ return(chunk_bakeoff.needed_retrievers() | select('in', var('rerankers').keys() | list) | list) }}
{%- endmacro %}
