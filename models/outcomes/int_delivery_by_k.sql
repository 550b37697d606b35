with retrievals as (

    select
        config_id,
        question_id,
        rank,
        doc_id,
        context_start,
        context_end,
        context_tokens,
        -- What is merged stands in the prompt once.
        delivery in {{ chunk_bakeoff.merging_deliveries() }} as is_merged
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
        retrievals.is_merged,
        -- What earlier contexts of the document have already reached.
        max(retrievals.context_end) over (
            partition by retrievals.config_id, retrievals.question_id, cutoffs.k, retrievals.doc_id
            order by retrievals.context_start, retrievals.context_end, retrievals.rank
            rows between unbounded preceding and 1 preceding
        ) as reached
    from retrievals
    inner join cutoffs on retrievals.rank <= cutoffs.k

),

added as (

    select
        *,
        greatest(0, context_end - greatest(context_start, coalesce(reached, context_start)))
            as new_characters
    from delivered

),

final as (

    select
        config_id,
        question_id,
        k,
        sum(context_tokens) as context_tokens,
        sum(case when is_merged then new_characters else context_end - context_start end)
            as characters,
        sum(new_characters) as distinct_characters
    from added
    group by config_id, question_id, k

)

select * from final
