{{ config(materialized='view' if var('deliveries') == ['plain'] else 'table') }}

with candidates as (
    {{ chunk_bakeoff.candidates_of(var('retrievers')) }}
),

chunks as (

    select * from {{ ref('int_chunks') }}

),

final as (
    {{ chunk_bakeoff.ranked_contexts('candidates', 'chunks') }}
)

select * from final
