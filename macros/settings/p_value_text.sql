{# A p-value in words: `= 0.0123`, or `< 0.0001`. #}
{% macro p_value_text(expression) -%}
    case
        when {{ expression }} < 0.0001 then '< 0.0001'
        else '= ' || {{ chunk_bakeoff.number_text(expression, 4) }}
    end
{%- endmacro %}
