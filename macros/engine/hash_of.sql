{# One hash over several text expressions. They are listed as JSON first, so that no choice of
   texts can be mistaken for another. #}
{% macro hash_of(expressions) -%}
    {{ return(adapter.dispatch('hash_of', 'chunk_bakeoff')(expressions)) }}
{%- endmacro %}

{% macro default__hash_of(expressions) -%}
    md5(cast(to_json([{{ expressions | join(', ') }}]) as varchar))
{%- endmacro %}
