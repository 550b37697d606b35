{# Stops the run where some of documents, questions and golden spans are the user's own and others
   are those of the bundled corpus: no question could be answered. #}
{% macro check_own_inputs() -%}
    {%- set settings = {
        'documents': ['documents_path', 'documents_relation', 'elements_path'],
        'questions': ['questions_path', 'questions_relation'],
        'golden spans': ['questions_path', 'golden_spans_relation'],
    } -%}
    {%- set ns = namespace(own=[], bundled=[]) -%}
    {%- for input, names in settings.items() -%}
        {%- set given = [] -%}
        {%- for name in names if var(name) -%}{%- do given.append(name) -%}{%- endfor -%}
        {%- if given -%}
            {%- set ns.own = ns.own + [input] -%}
        {%- else -%}
            {%- set ns.bundled = ns.bundled + [input ~ ' (' ~ names | join(', ') ~ ')'] -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if execute and ns.own and ns.bundled -%}
        {{ exceptions.raise_compiler_error(
            "Only the " ~ ns.own | join(' and ') ~ " are your own. Set your own "
            ~ ns.bundled | join(' and ') ~ " too, or none of them for the bundled corpus."
        ) }}
    {%- endif -%}
{%- endmacro %}
