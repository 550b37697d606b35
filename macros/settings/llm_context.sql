{# The setting `llm_context`, with defaults for the keys that are not given. #}
{% macro llm_context() -%}
    {%- set given = var('llm_context') -%}
    {%- if given is not mapping -%}
        {{ exceptions.raise_compiler_error(
            "The setting `llm_context` must be a mapping, e.g. {input_price: 1.0, output_price: 5.0}, not " ~ given ~ "."
        ) }}
    {%- endif -%}
    {%- set known = {
        'input_price': 1.0,
        'output_price': 5.0,
        'cache_write_factor': 1.25,
        'cache_read_factor': 0.1,
        'instruction_tokens': 50,
        'output_tokens': 100,
    } -%}
    {%- for key, value in given.items() -%}
        {%- if key not in known -%}
            {{ exceptions.raise_compiler_error(
                "The setting `llm_context` has an unknown key `" ~ key ~ "`; known: " ~ known.keys() | join(', ') ~ "."
            ) }}
        {%- elif value is not number or value is boolean or value < 0 -%}
            {{ exceptions.raise_compiler_error(
                "llm_context, " ~ key ~ ": `" ~ value ~ "` is not a number from 0 on."
            ) }}
        {%- endif -%}
    {%- endfor -%}
    {{ return(dict(known, **given)) }}
{%- endmacro %}
