{# What the settings of a variant, a column of JSON, say under a key; null where it is not there. #}
{% macro setting(settings, key) -%}
    {{ return(adapter.dispatch('setting', 'chunk_bakeoff')(settings, key)) }}
{%- endmacro %}

{% macro default__setting(settings, key) -%}
    json_extract_string({{ settings }}, '$.{{ key }}')
{%- endmacro %}

{# Whether a variant declares that it breaks an invariant on purpose: `over_limit` or `nested`. #}
{% macro declares(settings, exception) -%}
    {{ return(adapter.dispatch('declares', 'chunk_bakeoff')(settings, exception)) }}
{%- endmacro %}

{% macro default__declares(settings, exception) -%}
    coalesce(json_contains(json_extract({{ settings }}, '$.declares'), '"{{ exception }}"'), false)
{%- endmacro %}
