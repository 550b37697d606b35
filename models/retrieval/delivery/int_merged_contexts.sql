{{ config(enabled=chunk_bakeoff.shaped_deliveries() | length > 0) }}

{%- set gap = chunk_bakeoff.slice_text(
    'documents.text', 'delivered.reached', 'delivered.context_start'
) %}

with contexts as (

    select
        config_id,
        question_id,
        rank,
        doc_id,
        context_start,
        context_end,
        context_prefix,
        is_merged
    from {{ ref('int_expanded_contexts') }}

),

documents as (

    select
        doc_id,
        text
    from {{ ref('stg_documents') }}

),

-- At each rank: what has been delivered of that rank's document so far.
delivered as (

    select
        newest.config_id,
        newest.question_id,
        newest.rank as at_rank,
        newest.doc_id,
        newest.is_merged,
        earlier.rank,
        earlier.context_start,
        earlier.context_end,
        earlier.context_prefix,
        max(earlier.context_end) over (
            partition by newest.config_id, newest.question_id, newest.rank
            order by earlier.context_start, earlier.context_end, earlier.rank
            rows between unbounded preceding and 1 preceding
        ) as reached
    from contexts as newest
    inner join contexts as earlier
        on
            newest.config_id = earlier.config_id
            and newest.question_id = earlier.question_id
            and newest.doc_id = earlier.doc_id
            and newest.rank >= earlier.rank

),

-- A gap of white space does not part two contexts.
marked as (

    select
        delivered.* exclude (reached),
        case
            when delivered.reached is null or not delivered.is_merged then 1
            when delivered.context_start <= delivered.reached then 0
            when
                delivered.context_start - delivered.reached > {{ chunk_bakeoff.longest_gap() }}
                then 1
            when
                {{ chunk_bakeoff.is_blank(gap) }}
                then 0
            else 1
        end as begins
    from delivered
    inner join documents on delivered.doc_id = documents.doc_id

),

numbered as (

    select
        *,
        sum(begins) over (
            partition by config_id, question_id, at_rank
            order by context_start, context_end, rank
            rows unbounded preceding
        ) as block
    from marked

),

final as (

    select
        config_id,
        question_id,
        at_rank,
        doc_id,
        min(context_start) as block_start,
        max(context_end) as block_end,
        arg_min(context_prefix, (context_start, context_end, rank)) as block_prefix
    from numbered
    group by config_id, question_id, at_rank, doc_id, block

)

select * from final
