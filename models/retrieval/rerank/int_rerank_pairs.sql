{%- set rerankers = chunk_bakeoff.needed_rerankers() -%}
{{ config(enabled=rerankers | length > 0) }}

{%- set fused = [] -%}
{%- for name in rerankers if chunk_bakeoff.checked_reranker(name)['of'] in var('fusions') -%}
    {%- do fused.append(chunk_bakeoff.checked_reranker(name)['of']) -%}
{%- endfor %}

with chunks as (

    select * from {{ ref('int_chunks') }}

),

questions as (

    select
        question_id,
        question
    from {{ ref('stg_questions') }}

),

{% if fused %}
fused_candidates as (
    {{ chunk_bakeoff.candidates_of(fused | unique | list) }}
),

fused_rankings as (
    {{ chunk_bakeoff.ranked_contexts('fused_candidates', 'chunks') }}
),
{% endif %}

rankings as (

    {% if chunk_bakeoff.fused_parts() %}
    select
        strategy,
        retriever,
        embedding_model,
        question_id,
        context_id,
        chunk_id,
        rank
    from {{ ref('int_part_rankings') }}
    {% endif %}
    {{ 'union all' if fused and chunk_bakeoff.fused_parts() }}
    {% if fused %}
    select
        strategy,
        retriever,
        embedding_model,
        question_id,
        context_id,
        chunk_id,
        rank
    from fused_rankings
    {% endif %}

),

rerankers as (
    {% for name in rerankers %}
    {%- set reranker = chunk_bakeoff.checked_reranker(name) %}
    select
        '{{ name }}' as reranker,
        '{{ reranker['of'] }}' as retriever,
        {{ reranker['top_n'] }} as top_n
    {{ 'union all' if not loop.last }}
    {%- else %}
    select
        null as reranker,
        null as retriever,
        0 as top_n
    {%- endfor %}

),

-- Only contexts that the asker may see were ranked, so only those meet the cross-encoder.
final as (

    select
        rerankers.reranker,
        rankings.strategy,
        rankings.embedding_model,
        rankings.question_id,
        rankings.chunk_id,
        rankings.rank as rank_before,
        questions.question,
        chunks.embed_text as passage,
        {{ chunk_bakeoff.hash_of([
            "'pair'", 'rerankers.reranker', 'questions.question', 'chunks.embed_text',
        ]) }} as pair_key
    from rerankers
    inner join rankings
        on
            rerankers.retriever = rankings.retriever
            and rerankers.top_n >= rankings.rank
    inner join questions on rankings.question_id = questions.question_id
    inner join chunks
        on
            rankings.strategy = chunks.strategy
            and rankings.chunk_id = chunks.chunk_id

)

select * from final
