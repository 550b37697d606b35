{# The setting `two_step`, with defaults for the keys that are not given. #}
{% macro two_step() -%}
    {%- set given = var('two_step') -%}
    {%- if given is not mapping -%}
        {{ exceptions.raise_compiler_error(
            "The setting `two_step` must be a mapping, e.g. {dimensions: 64, shortlist: 100}, not " ~ given ~ "."
        ) }}
    {%- endif -%}
    {%- set known = {'dimensions': 64, 'shortlist': 100} -%}
    {%- for key, value in given.items() -%}
        {%- if key not in known -%}
            {{ exceptions.raise_compiler_error(
                "The setting `two_step` has an unknown key `" ~ key ~ "`; known: dimensions, shortlist."
            ) }}
        {%- elif value is not integer or value < 1 -%}
            {{ exceptions.raise_compiler_error(
                "two_step, " ~ key ~ ": `" ~ value ~ "` is not a whole number above 0."
            ) }}
        {%- endif -%}
    {%- endfor -%}
    {%- set settings = dict(known, **given) -%}
    {%- set declared = var('embedding_models') | map(attribute='dimensions') | list -%}
    {#- While dbt parses, a model may still be one that is switched off. -#}
    {%- if execute and declared and settings['dimensions'] > declared | max -%}
        {{ exceptions.raise_compiler_error(
            "two_step, dimensions: `" ~ settings['dimensions'] ~ "` are more than any model in `embedding_models` has ("
            ~ declared | max ~ "): take fewer, or the retriever `dense`."
        ) }}
    {%- endif -%}
    {{ return(settings) }}
{%- endmacro %}
