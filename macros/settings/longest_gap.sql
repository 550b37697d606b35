{# White space of more characters than this parts two contexts all the same. #}
{% macro longest_gap() -%}
    {{ return(1000) }}
{%- endmacro %}
