-- Whatever shares a context id delivers the same text from the same place, at the same cost.
with chunks as (

    select * from {{ ref('int_chunks') }}

),

contexts as (

    select distinct
        strategy,
        context_id,
        doc_id,
        context_start,
        context_end,
        context_text,
        context_tokens
    from chunks

)

select
    context_id,
    count(*) as texts
from contexts
group by context_id
having count(*) > 1
