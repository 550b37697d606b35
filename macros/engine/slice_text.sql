{# text[start:end] in code points, half-open. #}
{% macro slice_text(expression, char_start, char_end) -%}
    {{ return(adapter.dispatch('slice_text', 'chunk_bakeoff')(expression, char_start, char_end)) }}
{%- endmacro %}

{% macro default__slice_text(expression, char_start, char_end) -%}
    substring({{ expression }}, {{ char_start }} + 1, {{ char_end }} - {{ char_start }})
{%- endmacro %}
