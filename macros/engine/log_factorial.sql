{# Natural logarithm of n! #}
{% macro log_factorial(n) -%}
    {{ return(adapter.dispatch('log_factorial', 'chunk_bakeoff')(n)) }}
{%- endmacro %}

{% macro default__log_factorial(n) -%}
    lgamma({{ n }} + 1)
{%- endmacro %}
