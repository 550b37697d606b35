-- A ranking repeats what the chunks say about the delivered context, unchanged. Other deliveries
-- than `plain` may add to a context, and leave nothing of it out.
with retrievals as (

    select distinct
        delivery,
        strategy,
        chunk_id,
        context_id,
        doc_id,
        context_start,
        context_end,
        context_tokens
    from {{ ref('fct_retrievals') }}

),

chunks as (

    select
        strategy,
        chunk_id,
        context_id,
        doc_id,
        context_start,
        context_end,
        context_tokens
    from {{ ref('int_chunks') }}

)

select retrievals.*
from retrievals
left join chunks
    on
        retrievals.strategy = chunks.strategy
        and retrievals.chunk_id = chunks.chunk_id
        and retrievals.context_id = chunks.context_id
        and retrievals.doc_id = chunks.doc_id
        and (
            retrievals.delivery != 'plain'
            or (
                retrievals.context_start = chunks.context_start
                and retrievals.context_end = chunks.context_end
                and retrievals.context_tokens = chunks.context_tokens
            )
        )
        and retrievals.context_start <= chunks.context_start
        and retrievals.context_end >= chunks.context_end
where chunks.chunk_id is null
