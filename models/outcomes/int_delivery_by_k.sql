with retrievals as (

    select
        config_id,
        question_id,
        rank,
        doc_id,
        context_start,
        context_end,
        context_tokens
    from {{ ref('fct_retrievals') }}

),

cutoffs as (
    {{ chunk_bakeoff.as_values(var('k_values'), 'k') }}

),

delivered as (

    select
        retrievals.config_id,
        retrievals.question_id,
        cutoffs.k,
        retrievals.context_tokens,
        retrievals.context_start,
        retrievals.context_end,
        -- What earlier contexts of the document have already reached.
        max(retrievals.context_end) over (
            partition by retrievals.config_id, retrievals.question_id, cutoffs.k, retrievals.doc_id
            order by retrievals.context_start, retrievals.context_end, retrievals.rank
            rows between unbounded preceding and 1 preceding
        ) as reached
    from retrievals
    inner join cutoffs on retrievals.rank <= cutoffs.k

),

final as (

    select
        config_id,
        question_id,
        k,
        sum(context_tokens) as context_tokens,
        sum(context_end - context_start) as characters,
        sum(greatest(0, context_end - greatest(context_start, coalesce(reached, context_start))))
            as distinct_characters
    from delivered
    group by config_id, question_id, k

)

select * from final
