{{ config(enabled=chunk_bakeoff.needs_postings()) }}

with chunks as (

    select
        strategy,
        chunk_id,
        doc_id,
        char_start,
        context_id,
        context_start,
        access_key,
        embed_text
    from {{ ref('int_chunks') }}

),

texts as (

    select
        text_key,
        text_number,
        unit_count
    from {{ ref('int_lexical_texts') }}

),

depth as (

    select
        strategy,
        context_depth
    from {{ ref('int_retrieval_depth') }}

),

-- Pairs of chunks and questions come by the million, so what they are grouped by is numbered.
final as (

    select
        cast(
            row_number()
                over (order by chunks.strategy, chunks.doc_id, chunks.char_start, chunks.chunk_id)
            as integer
        ) as chunk_number,
        cast(dense_rank() over (order by chunks.strategy, chunks.context_id) as integer)
            as context_number,
        cast(
            dense_rank() over (order by chunks.strategy, chunks.doc_id, chunks.context_start)
            as integer
        ) as place,
        cast(dense_rank() over (order by chunks.strategy) as integer) as strategy_number,
        chunks.strategy,
        chunks.chunk_id,
        chunks.access_key,
        texts.text_number,
        texts.unit_count,
        depth.context_depth as depth
    from chunks
    inner join texts
        on {{ chunk_bakeoff.hash_of(["'text'", 'chunks.embed_text']) }} = texts.text_key
    inner join depth on chunks.strategy = depth.strategy

)

select * from final
