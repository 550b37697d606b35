{# Print what the next embedding run has to do and what it will cost, without embedding anything:

       dbt build --indirect-selection buildable \
         --select +rpt_embedding_estimate +rpt_llm_context_bill +rpt_vector_memory
       dbt run-operation estimate_embeddings #}
{% macro estimate_embeddings() -%}
    {%- set titles = {
        'rpt_embedding_estimate': 'Texts and tokens to embed; minutes at the rate of the last run (none: it never ran)',
        'rpt_llm_context_bill': 'If a language model wrote a context for every chunk: calls, tokens, price',
        'rpt_vector_memory': 'Bytes of the vectors, by precision',
    } -%}
    {%- for model, title in titles.items() -%}
        {%- set relation = chunk_bakeoff.existing_relation(
            model,
            'dbt build --indirect-selection buildable --select +rpt_embedding_estimate +rpt_llm_context_bill '
            ~ '+rpt_vector_memory, which embeds no chunk'
        ) -%}
        {{ print('\n' ~ title) }}
        {%- set result = run_query('select * from ' ~ relation ~ ' order by 1, 2, 4') -%}
        {{ print(chunk_bakeoff.padded(result.column_names)) }}
        {%- for row in result.rows -%}
            {{ print(chunk_bakeoff.padded(row.values())) }}
        {%- endfor -%}
    {%- endfor -%}
{%- endmacro %}

{# Values side by side, each in a column of its own; numbers to two places, small ones to two digits. #}
{% macro padded(values) -%}
    {%- set cells = [] -%}
    {%- for value in values -%}
        {%- if value is none -%}
            {%- set shown = '-' -%}
        {%- elif value is not number -%}
            {%- set shown = value -%}
        {%- elif value == value | int -%}
            {%- set shown = value | int -%}
        {%- else -%}
            {%- set shown = ('%.2f' if value | abs >= 0.01 else '%.2g') | format(value) -%}
        {%- endif -%}
        {%- do cells.append('%-23s' | format(shown)) -%}
    {%- endfor -%}
    {{ return(cells | join(' ')) }}
{%- endmacro %}
