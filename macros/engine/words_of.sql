{# The distinct words and numbers of a text, in lower case, as a list. #}
{% macro words_of(expression) -%}
    {{ return(adapter.dispatch('words_of', 'chunk_bakeoff')(expression)) }}
{%- endmacro %}

{% macro default__words_of(expression) -%}
    list_distinct(regexp_extract_all(lower({{ expression }}), '[\p{L}\p{N}]+'))
{%- endmacro %}

{# The items that two lists share. #}
{% macro lists_shared(left, right) -%}
    {{ return(adapter.dispatch('lists_shared', 'chunk_bakeoff')(left, right)) }}
{%- endmacro %}

{% macro default__lists_shared(left, right) -%}
    list_intersect({{ left }}, {{ right }})
{%- endmacro %}
