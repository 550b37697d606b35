{{ config(enabled=chunk_bakeoff.needed_rerankers() | length > 0) }}

with pairs as (

    select
        reranker,
        strategy,
        embedding_model,
        question_id,
        chunk_id,
        pair_key
    from {{ ref('int_rerank_pairs') }}

),

scores as (

    select
        pair_key,
        score
    from {{ ref('int_rerank_scores') }}

),

final as (

    select
        pairs.strategy,
        pairs.reranker as retriever,
        pairs.embedding_model,
        pairs.question_id,
        pairs.chunk_id,
        round(scores.score, 6) as score
    from pairs
    inner join scores on pairs.pair_key = scores.pair_key

)

select * from final
