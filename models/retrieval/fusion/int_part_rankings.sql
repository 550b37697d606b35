{%- set parts = chunk_bakeoff.fused_parts() -%}
{{ config(enabled=parts | length > 0) }}

with candidates as (
    {{ chunk_bakeoff.candidates_of(parts) }}
),

chunks as (

    select * from {{ ref('int_chunks') }}

),

ranked as (
    {{ chunk_bakeoff.ranked_contexts('candidates', 'chunks') }}
),

final as (

    select * from ranked
    where rank <= {{ chunk_bakeoff.fusion_depth() }}

)

select * from final
