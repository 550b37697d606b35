with retrievals as (

    select
        config_id,
        question_id,
        rank,
        doc_id,
        context_start,
        context_end
    from {{ ref('fct_retrievals') }}

),

gold as (

    select * from {{ ref('int_gold_regions') }}

),

cutoffs as (
    {{ chunk_bakeoff.as_values(var('k_values'), 'k') }}

),

-- What each delivered context holds of a gold region.
pieces as (

    select
        retrievals.config_id,
        retrievals.question_id,
        retrievals.rank,
        gold.doc_id,
        gold.gold_start,
        greatest(retrievals.context_start, gold.gold_start) as piece_start,
        least(retrievals.context_end, gold.gold_end) as piece_end
    from retrievals
    inner join gold
        on
            retrievals.question_id = gold.question_id
            and retrievals.doc_id = gold.doc_id
            and retrievals.context_start < gold.gold_end
            and retrievals.context_end > gold.gold_start

),

delivered as (

    select
        pieces.*,
        cutoffs.k,
        max(pieces.piece_end) over (
            partition by
                pieces.config_id, pieces.question_id, cutoffs.k, pieces.doc_id, pieces.gold_start
            order by pieces.piece_start, pieces.piece_end, pieces.rank
            rows between unbounded preceding and 1 preceding
        ) as reached
    from pieces
    inner join cutoffs on pieces.rank <= cutoffs.k

),

final as (

    select
        config_id,
        question_id,
        k,
        sum(greatest(0, piece_end - greatest(piece_start, coalesce(reached, piece_start))))
            as gold_characters
    from delivered
    group by config_id, question_id, k

)

select * from final
