-- A ranking repeats what the chunks say about the delivered context, unchanged.
with retrievals as (

    select distinct
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

    select distinct
        strategy,
        chunk_id,
        context_id,
        doc_id,
        context_start,
        context_end,
        context_tokens
    from {{ ref('int_chunks') }}

)

select * from retrievals
except
select * from chunks
