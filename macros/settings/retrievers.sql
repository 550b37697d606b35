{# Retrievers that score units by themselves; fusions and rerankers build on them. #}
{% macro base_retrievers() -%}
    {{ return(['dense', 'dense_two_step', 'term_overlap', 'bm25']) }}
{%- endmacro %}

{# The retrievers that a retriever builds on, itself left out. Stops the run for an unknown name. #}
{% macro parts_of_retriever(retriever) -%}
    {%- if retriever in chunk_bakeoff.base_retrievers() -%}
        {{ return([]) }}
    {%- elif retriever in var('fusions') -%}
        {{ return(chunk_bakeoff.checked_fusion(retriever)['of']) }}
    {%- elif retriever in var('rerankers') -%}
        {{ return([chunk_bakeoff.checked_reranker(retriever)['of']]) }}
    {%- endif -%}
    {{ exceptions.raise_compiler_error(
        "retrievers: '" ~ retriever ~ "' is unknown; known: "
        ~ (chunk_bakeoff.base_retrievers() + var('fusions').keys() | list + var('rerankers').keys() | list) | join(', ')
    ) }}
{%- endmacro %}

{# The listed retrievers and all that they build on, parts first. #}
{% macro needed_retrievers() -%}
    {%- if var('retrievers') is string or var('retrievers') is mapping -%}
        {{ exceptions.raise_compiler_error('The setting `retrievers` must be a list, e.g. [dense, bm25], not ' ~ var('retrievers') ~ '.') }}
    {%- elif not var('retrievers') -%}
        {{ exceptions.raise_compiler_error('The setting `retrievers` is empty: list at least one retriever.') }}
    {%- endif -%}
    {%- set needed = [] -%}
    {%- for retriever in var('retrievers') -%}
        {%- for part in chunk_bakeoff.parts_of_retriever(retriever) -%}
            {%- for deeper in chunk_bakeoff.parts_of_retriever(part) if deeper not in needed -%}
                {%- do needed.append(deeper) -%}
            {%- endfor -%}
            {%- if part not in needed -%}{%- do needed.append(part) -%}{%- endif -%}
        {%- endfor -%}
        {%- if retriever not in needed -%}{%- do needed.append(retriever) -%}{%- endif -%}
    {%- endfor -%}
    {{ return(needed) }}
{%- endmacro %}

{# Whether a base retriever is listed, or part of one that is. #}
{% macro is_needed(retriever) -%}
    {{ return(retriever in chunk_bakeoff.needed_retrievers()) }}
{%- endmacro %}

{# Whether a retriever ranks vectors; the others have the embedding model `none`. #}
{% macro ranks_vectors(retriever) -%}
    {%- if retriever in chunk_bakeoff.base_retrievers() -%}
        {{ return(retriever in ['dense', 'dense_two_step']) }}
    {%- endif -%}
    {%- for part in chunk_bakeoff.parts_of_retriever(retriever) if chunk_bakeoff.ranks_vectors(part) -%}
        {{ return(true) }}
    {%- endfor -%}
    {{ return(false) }}
{%- endmacro %}

{# Whether anything has to be embedded. #}
{% macro needs_vectors() -%}
    {{ return(chunk_bakeoff.is_needed('dense') or chunk_bakeoff.is_needed('dense_two_step')) }}
{%- endmacro %}

{# Whether any lexical index is needed. #}
{% macro needs_postings() -%}
    {{ return(chunk_bakeoff.is_needed('bm25') or chunk_bakeoff.is_needed('term_overlap')) }}
{%- endmacro %}

{# The model that holds the scores of a retriever. #}
{% macro score_model(retriever) -%}
    {%- if retriever in var('fusions') -%}
        {{ return('int_scores_fused') }}
    {%- elif retriever in var('rerankers') -%}
        {{ return('int_scores_reranked') }}
    {%- else -%}
        {{ return('int_scores_' ~ retriever) }}
    {%- endif -%}
{%- endmacro %}

{# What a retriever's scores depend on besides texts and vectors, as JSON. #}
{% macro retriever_settings(retriever) -%}
    {%- set ns = namespace(settings={}) -%}
    {%- if retriever == 'bm25' -%}
        {%- set ns.settings = var('bm25') -%}
    {%- elif retriever == 'dense_two_step' -%}
        {%- set ns.settings = var('two_step') -%}
    {%- elif retriever in var('fusions') -%}
        {%- set ns.settings = var('fusions')[retriever] -%}
    {%- elif retriever in var('rerankers') -%}
        {%- set ns.settings = var('rerankers')[retriever] -%}
    {%- endif -%}
    {%- set parts = {} -%}
    {%- for part in chunk_bakeoff.parts_of_retriever(retriever) -%}
        {%- do parts.update({part: chunk_bakeoff.retriever_settings(part)}) -%}
    {%- endfor -%}
    {{ return(tojson({'settings': ns.settings, 'parts': parts}, sort_keys=true)) }}
{%- endmacro %}
