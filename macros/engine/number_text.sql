{# A number as text with a fixed count of decimals. It is rounded twice, because means of the same
   values may differ in their last bit, which must not decide a tie. #}
{% macro number_text(expression, places=3) -%}
    {{ return(adapter.dispatch('number_text', 'chunk_bakeoff')(expression, places)) }}
{%- endmacro %}

{% macro default__number_text(expression, places) -%}
    cast(cast(round(round({{ expression }}, 9), {{ places }}) as decimal(18, {{ places }})) as {{ dbt.type_string() }})
{%- endmacro %}
