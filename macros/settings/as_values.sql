{# A list of numbers as a one-column select. #}
{% macro as_values(numbers, name) -%}
    {%- for number in numbers %}
    select {{ number }} as {{ name }}
    {{ 'union all' if not loop.last }}
    {%- endfor %}
{%- endmacro %}
