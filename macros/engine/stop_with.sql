{# An expression that stops the run with a message. #}
{% macro stop_with(message) -%}
    {{ return(adapter.dispatch('stop_with', 'chunk_bakeoff')(message)) }}
{%- endmacro %}

{% macro default__stop_with(message) -%}
    error({{ message }})
{%- endmacro %}
