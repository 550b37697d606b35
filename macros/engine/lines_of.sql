{# The lines of the documents of a relation: doc_id, line_number (from 1), line (without its end). #}
{% macro lines_of(relation) -%}
    {{ return(adapter.dispatch('lines_of', 'chunk_bakeoff')(relation)) }}
{%- endmacro %}

{% macro default__lines_of(relation) -%}
    select
        doc_id,
        unnest(string_split(text, chr(10))) as line,
        generate_subscripts(string_split(text, chr(10)), 1) as line_number
    from {{ relation }}
{%- endmacro %}
