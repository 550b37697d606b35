{# A fusion of two retrievers, its settings checked and completed. #}
{% macro checked_fusion(name) -%}
    {%- set given = var('fusions')[name] -%}
    {%- set fusion = {'method': 'rrf', 'constant': 60, 'depth': 100, 'weights': [0.5, 0.5]} -%}
    {%- set label = 'fusions, ' ~ name ~ ': ' -%}
    {%- for key in given if key not in ['of', 'method', 'constant', 'depth', 'weights'] -%}
        {{ exceptions.raise_compiler_error(label ~ "unknown setting '" ~ key ~ "'; known: of, method, constant, depth, weights") }}
    {%- endfor -%}
    {%- do fusion.update(given) -%}
    {%- if fusion.get('of') is not sequence or fusion['of'] | unique | list | length != 2 or fusion['of'] | length != 2 -%}
        {{ exceptions.raise_compiler_error(label ~ '`of` must name two different retrievers') }}
    {%- endif -%}
    {%- for part in fusion['of'] if part not in chunk_bakeoff.base_retrievers() -%}
        {{ exceptions.raise_compiler_error(label ~ "`of` names '" ~ part ~ "'; known: " ~ chunk_bakeoff.base_retrievers() | join(', ')) }}
    {%- endfor -%}
    {%- if fusion['method'] not in ['rrf', 'weighted'] -%}
        {{ exceptions.raise_compiler_error(label ~ '`method` is rrf or weighted, not ' ~ fusion['method']) }}
    {%- endif -%}
    {%- if fusion['depth'] < 1 or fusion['constant'] < 0 -%}
        {{ exceptions.raise_compiler_error(label ~ '`depth` must be at least 1 and `constant` at least 0') }}
    {%- endif -%}
    {%- if fusion['weights'] | length != 2 or fusion['weights'] | min < 0 or fusion['weights'] | sum <= 0 -%}
        {{ exceptions.raise_compiler_error(label ~ '`weights` must be two numbers of at least 0, one of them above 0') }}
    {%- endif -%}
    {{ return(fusion) }}
{%- endmacro %}

{# A reranker, its settings checked and completed. #}
{% macro checked_reranker(name) -%}
    {%- set given = var('rerankers')[name] -%}
    {%- set label = 'rerankers, ' ~ name ~ ': ' -%}
    {%- for key in given if key not in ['of', 'top_n', 'model', 'provider'] -%}
        {{ exceptions.raise_compiler_error(label ~ "unknown setting '" ~ key ~ "'; known: of, top_n, model, provider") }}
    {%- endfor -%}
    {%- set reranker = {'top_n': 50, 'provider': 'cross_encoder'} -%}
    {%- do reranker.update(given) -%}
    {%- if reranker.get('of') not in chunk_bakeoff.base_retrievers() + var('fusions').keys() | list -%}
        {{ exceptions.raise_compiler_error(label ~ '`of` must name a retriever that is no reranker, not ' ~ reranker.get('of')) }}
    {%- endif -%}
    {%- if not reranker.get('model') -%}
        {{ exceptions.raise_compiler_error(label ~ '`model` must be the folder of a cross-encoder, or package:NAME') }}
    {%- endif -%}
    {%- if reranker['top_n'] < 1 -%}
        {{ exceptions.raise_compiler_error(label ~ '`top_n` must be at least 1') }}
    {%- endif -%}
    {{ return(reranker) }}
{%- endmacro %}

{# How many contexts the fusions and rerankers in use read of a part. #}
{% macro fusion_depth() -%}
    {%- set ns = namespace(depth=0) -%}
    {%- for retriever in chunk_bakeoff.needed_retrievers() -%}
        {%- if retriever in var('fusions') -%}
            {%- set ns.depth = [ns.depth, chunk_bakeoff.checked_fusion(retriever)['depth']] | max -%}
        {%- elif retriever in var('rerankers') -%}
            {%- set ns.depth = [ns.depth, chunk_bakeoff.checked_reranker(retriever)['top_n']] | max -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(ns.depth) }}
{%- endmacro %}

{# The fusions in use. #}
{% macro needed_fusions() -%}
    {{ return(chunk_bakeoff.needed_retrievers() | select('in', var('fusions').keys() | list) | list) }}
{%- endmacro %}

{# The base retrievers whose rankings a fusion or reranker in use reads. #}
{% macro fused_parts() -%}
    {%- set parts = [] -%}
    {%- for retriever in chunk_bakeoff.needed_retrievers() -%}
        {%- for part in chunk_bakeoff.parts_of_retriever(retriever) if part in chunk_bakeoff.base_retrievers() and part not in parts -%}
            {%- do parts.append(part) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(parts) }}
{%- endmacro %}
