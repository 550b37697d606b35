{# What counts contexts and budgets, alike in every row: the setting `context_tokenizer`; without
   it the default model's tokenizer, or lexical units where no retriever ranks vectors. #}
{% macro context_tokenizer() -%}
    {%- if var('context_tokenizer') -%}
        {{ return(var('context_tokenizer')) }}
    {%- elif not chunk_bakeoff.needs_vectors() -%}
        {{ return('lexical_units') }}
    {%- else -%}
        {{ return(chunk_bakeoff.default_embedding_model()) }}
    {%- endif -%}
{%- endmacro %}

{# What the counts of the marts are: `tokens` or `lexical units`. #}
{% macro count_unit() -%}
    {{ return('lexical units' if chunk_bakeoff.context_tokenizer() == 'lexical_units' else 'tokens') }}
{%- endmacro %}
