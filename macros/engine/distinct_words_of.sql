{# The distinct words and numbers of a text, in lower case, as a list. #}
{% macro distinct_words_of(expression) -%}
    {{ return(adapter.dispatch('distinct_words_of', 'chunk_bakeoff')(expression)) }}
{%- endmacro %}

{% macro default__distinct_words_of(expression) -%}
    list_distinct({{ chunk_bakeoff.words_of(expression) }})
{%- endmacro %}
