-- No retrieval unit is longer than the model reads that the variant is sized for (its setting
-- `sizing_model`, else the first declared model), unless the variant declares `over_limit`. Lower
-- its size, or declare it: then every_chunk_is_read_to_its_end reports how many are cut off.
with chunks as (

    select
        strategy,
        chunk_id,
        doc_id,
        char_start,
        char_end,
        coalesce(
            {{ chunk_bakeoff.setting('settings', 'sizing_model') }},
            '{{ chunk_bakeoff.default_embedding_model() }}'
        ) as embedding_model
    from {{ ref('int_chunks') }}
    where not {{ chunk_bakeoff.declares('settings', 'over_limit') }}

),

chunk_tokens as (

    select * from {{ ref('int_chunk_tokens') }}
    where over_limit

)

select
    chunks.strategy,
    chunks.doc_id,
    chunks.char_start,
    chunks.char_end,
    chunks.embedding_model,
    chunk_tokens.token_count
from chunks
inner join chunk_tokens
    on
        chunks.strategy = chunk_tokens.strategy
        and chunks.chunk_id = chunk_tokens.chunk_id
        and chunks.embedding_model = chunk_tokens.embedding_model
