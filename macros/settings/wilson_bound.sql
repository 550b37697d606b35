{# Bound of the Wilson score interval (Wilson 1927) of a share, at 95 %.
   `sign` is + or -. #}
{% macro wilson_bound(share, n, sign) -%}
    {%- set z = 1.959963984540054 -%}
    (
        {{ share }} + {{ z * z }} / (2.0 * {{ n }})
        {{ sign }} {{ z }} * sqrt({{ share }} * (1 - {{ share }}) / {{ n }} + {{ z * z }} / (4.0 * {{ n }} * {{ n }}))
    ) / (1 + {{ z * z }} / {{ n }})
{%- endmacro %}
