{# A number as text with a fixed count of decimals. #}
{% macro number_text(expression, places=3) -%}
    {{ return(adapter.dispatch('number_text', 'chunk_bakeoff')(expression, places)) }}
{%- endmacro %}

{% macro default__number_text(expression, places) -%}
    cast(cast(round({{ expression }}, {{ places }}) as decimal(18, {{ places }})) as {{ dbt.type_string() }})
{%- endmacro %}
