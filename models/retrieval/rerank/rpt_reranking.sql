{{ config(enabled=chunk_bakeoff.needed_rerankers() | length > 0) }}

with leaderboard as (

    select * from {{ ref('rpt_strategy_leaderboard') }}

),

rerankers as (
    {% for name in chunk_bakeoff.needed_rerankers() %}
    select
        '{{ name }}' as retriever,
        '{{ chunk_bakeoff.checked_reranker(name)['of'] }}' as reranked
    {{ 'union all' if not loop.last }}
    {%- else %}
    select
        null as retriever,
        null as reranked
    {%- endfor %}

),

seconds as (

    select
        pairs.strategy,
        pairs.reranker as retriever,
        pairs.embedding_model,
        count(*) / count(distinct pairs.question_id) as pairs_per_question,
        sum(scores.seconds) / count(distinct pairs.question_id) as added_seconds_per_question
    from {{ ref('int_rerank_pairs') }} as pairs
    inner join {{ ref('int_rerank_scores') }} as scores on pairs.pair_key = scores.pair_key
    group by pairs.strategy, pairs.reranker, pairs.embedding_model

),

final as (

    select
        after.config_id,
        after.strategy,
        after.retriever,
        after.embedding_model,
        after.delivery,
        after.label_kind,
        before.config_id as config_id_before,
        before.recall_at_1 as recall_at_1_before,
        after.recall_at_1,
        before.recall_at_5 as recall_at_5_before,
        after.recall_at_5,
        before.mrr as mrr_before,
        after.mrr,
        seconds.pairs_per_question,
        seconds.added_seconds_per_question
    from leaderboard as after
    inner join rerankers on after.retriever = rerankers.retriever
    inner join seconds
        on
            after.strategy = seconds.strategy
            and after.retriever = seconds.retriever
            and after.embedding_model = seconds.embedding_model
    -- Empty where the retriever that is reranked is not listed itself.
    left join leaderboard as before
        on
            rerankers.reranked = before.retriever
            and after.strategy = before.strategy
            and after.embedding_model = before.embedding_model
            and after.delivery = before.delivery
            and after.label_kind = before.label_kind

)

select * from final
