with contexts as (

    select distinct
        strategy,
        doc_id,
        context_start,
        context_end
    from {{ ref('int_chunks') }}

),

gold as (

    select * from {{ ref('int_gold_regions') }}

),

touching as (

    select distinct
        contexts.strategy,
        gold.question_id,
        contexts.doc_id,
        contexts.context_start,
        contexts.context_end
    from contexts
    inner join gold
        on
            contexts.doc_id = gold.doc_id
            and contexts.context_start < gold.gold_end
            and contexts.context_end > gold.gold_start

),

context_pieces as (

    select
        strategy,
        question_id,
        context_start,
        context_end,
        max(context_end) over (
            partition by strategy, question_id, doc_id
            order by context_start, context_end
            rows between unbounded preceding and 1 preceding
        ) as reached
    from touching

),

delivered as (

    select
        strategy,
        question_id,
        sum(greatest(0, context_end - greatest(context_start, coalesce(reached, context_start))))
            as characters
    from context_pieces
    group by strategy, question_id

),

gold_pieces as (

    select
        touching.strategy,
        touching.question_id,
        greatest(touching.context_start, gold.gold_start) as piece_start,
        least(touching.context_end, gold.gold_end) as piece_end,
        max(least(touching.context_end, gold.gold_end)) over (
            partition by touching.strategy, touching.question_id, gold.doc_id, gold.gold_start
            order by touching.context_start, touching.context_end
            rows between unbounded preceding and 1 preceding
        ) as reached
    from touching
    inner join gold
        on
            touching.question_id = gold.question_id
            and touching.doc_id = gold.doc_id
            and touching.context_start < gold.gold_end
            and touching.context_end > gold.gold_start

),

gold_delivered as (

    select
        strategy,
        question_id,
        sum(greatest(0, piece_end - greatest(piece_start, coalesce(reached, piece_start))))
            as gold_characters
    from gold_pieces
    group by strategy, question_id

),

final as (

    select
        delivered.strategy,
        delivered.question_id,
        gold_delivered.gold_characters / delivered.characters as ideal_precision
    from delivered
    inner join gold_delivered
        on
            delivered.strategy = gold_delivered.strategy
            and delivered.question_id = gold_delivered.question_id

)

select * from final
