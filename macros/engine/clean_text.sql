{# The canonical text: without byte-order mark, after the steps that the settings name.
   chunk_bakeoff.documents.canonical_text in Python does the same. #}
{% macro clean_text(expression, steps) -%}
    {{ return(adapter.dispatch('clean_text', 'chunk_bakeoff')(expression, steps)) }}
{%- endmacro %}

{% macro default__clean_text(expression, steps) -%}
    {%- set patterns = {
        'drop_link_definitions': ["(?m)^\\[[^\\]\\n]+\\]:[^\\n]*\\n?", "''"],
        'normalize_line_endings': ["\\r\\n?", "chr(10)"],
    } -%}
    {%- set ns = namespace(sql="regexp_replace(" ~ expression ~ ", '^\\x{FEFF}', '')") -%}
    {%- for step in steps -%}
        {%- if step not in patterns -%}
            {{ exceptions.raise_compiler_error(
                "cleaning_steps: unknown step '" ~ step ~ "'; known: " ~ patterns | join(', ')
            ) }}
        {%- endif -%}
        {%- set pattern, replacement = patterns[step] -%}
        {%- set ns.sql = "regexp_replace(" ~ ns.sql ~ ", '" ~ pattern ~ "', " ~ replacement ~ ", 'g')" -%}
    {%- endfor -%}
    {{ ns.sql }}
{%- endmacro %}
