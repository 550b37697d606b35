-- Contexts with equal scores are ordered by document, place and chunk. Other deliveries than
-- `plain` keep these ranks, whatever they add in front of a context.
with retrievals as (

    select * from {{ ref('fct_retrievals') }}
    where delivery = 'plain'

),

neighbours as (

    select
        config_id,
        question_id,
        rank,
        score,
        doc_id,
        context_start,
        chunk_id,
        lag(score) over above as score_above,
        lag(doc_id) over above as doc_id_above,
        lag(context_start) over above as context_start_above,
        lag(chunk_id) over above as chunk_id_above
    from retrievals
    window above as (partition by config_id, question_id order by rank)

)

select *
from neighbours
where
    score = score_above
    and (doc_id, context_start, chunk_id) <= (doc_id_above, context_start_above, chunk_id_above)
