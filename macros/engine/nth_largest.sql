{# The n-th largest value of a group, or the smallest one where the group has fewer. `n` is the
   same in all rows of a group. #}
{% macro nth_largest(expression, n) -%}
    {{ return(adapter.dispatch('nth_largest', 'chunk_bakeoff')(expression, n)) }}
{%- endmacro %}

{% macro default__nth_largest(expression, n) -%}
    list_min(max({{ expression }}, {{ n }}))
{%- endmacro %}
