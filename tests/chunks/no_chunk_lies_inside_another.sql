-- No chunk lies wholly inside another of the same strategy and document, children of one parent
-- included, unless the variant declares `nested`.
with chunks as (

    select * from {{ ref('int_chunks') }}
    where not {{ chunk_bakeoff.declares('settings', 'nested') }}

),

-- Of two chunks that begin together the longer one comes first.
reaching as (

    select
        strategy,
        doc_id,
        chunk_id,
        char_start,
        char_end,
        max(char_end) over (
            partition by strategy, doc_id
            order by char_start asc, char_end desc, chunk_id asc
            rows between unbounded preceding and 1 preceding
        ) as reached
    from chunks

)

select *
from reaching
where char_end <= reached
