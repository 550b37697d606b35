{# Number of words of a text, where words are runs of anything but white space. #}
{% macro count_words(expression) -%}
    {{ return(adapter.dispatch('count_words', 'chunk_bakeoff')(expression)) }}
{%- endmacro %}

{% macro default__count_words(expression) -%}
    len(regexp_extract_all({{ expression }}, '\S+'))
{%- endmacro %}

{# The words of a text in lower case, without punctuation, as a list. #}
{% macro words_of(expression) -%}
    {{ return(adapter.dispatch('words_of', 'chunk_bakeoff')(expression)) }}
{%- endmacro %}

{% macro default__words_of(expression) -%}
    regexp_extract_all(lower({{ expression }}), '[\p{L}\p{N}]+')
{%- endmacro %}

{# The distinct runs of `size` neighbours in a list of words, each as one text, as a list. #}
{% macro shingles_of(words, size) -%}
    {{ return(adapter.dispatch('shingles_of', 'chunk_bakeoff')(words, size)) }}
{%- endmacro %}

{% macro default__shingles_of(words, size) -%}
    list_distinct(list_transform(
        range(1, len({{ words }}) - {{ size - 2 }}),
        lambda first: array_to_string({{ words }}[first:first + {{ size - 1 }}], ' ')
    ))
{%- endmacro %}

{# The paragraphs of the documents of a relation, split at blank lines: doc_id, paragraph. #}
{% macro paragraphs_of(relation) -%}
    {{ return(adapter.dispatch('paragraphs_of', 'chunk_bakeoff')(relation)) }}
{%- endmacro %}

{% macro default__paragraphs_of(relation) -%}
    select
        doc_id,
        unnest(string_split_regex(text, '\n\s*\n')) as paragraph
    from {{ relation }}
{%- endmacro %}
