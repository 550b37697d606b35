{# The lexical units of a text in order, in NFC and lower case: characters of scripts without
   spaces, numbers with separators inside, runs of letters, marks and digits.
   chunk_bakeoff.lexical.lexical_units in Python gives the same list. #}
{% macro lexical_units(expression) -%}
    {{ return(adapter.dispatch('lexical_units', 'chunk_bakeoff')(expression)) }}
{%- endmacro %}

{% macro default__lexical_units(expression) -%}
    {%- set unspaced = '\\p{Bopomofo}\\p{Han}\\p{Hiragana}\\p{Katakana}\\p{Khmer}\\p{Lao}\\p{Myanmar}\\p{Thai}' -%}
    {%- set unit = '[' ~ unspaced ~ ']\\p{M}*|\\p{Nd}+(?:[.,]\\p{Nd}+)+|(?:[^\\P{L}' ~ unspaced ~ ']|[\\p{M}\\p{N}])+' -%}
    list_transform(regexp_extract_all({{ expression }}, '{{ unit }}'), lambda unit: lower(nfc_normalize(unit)))
{%- endmacro %}
