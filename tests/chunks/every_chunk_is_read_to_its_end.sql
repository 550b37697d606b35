{{ config(severity='warn', store_failures=true) }}

-- A model cuts off in silence what is longer than its limit, so that the end of the chunk is not in
-- its vector. One row per strategy and embedding model that this befalls, with its share.
with chunk_tokens as (

    select * from {{ ref('int_chunk_tokens') }}

)

select
    strategy,
    embedding_model,
    count(*) as chunks,
    count(*) filter (where over_limit) as truncated_chunks,
    round(count(*) filter (where over_limit) / count(*), 4) as truncated_share
from chunk_tokens
group by strategy, embedding_model
having count(*) filter (where over_limit) > 0
