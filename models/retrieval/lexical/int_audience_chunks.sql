{{ config(enabled=chunk_bakeoff.needs_postings()) }}

with chunks as (

    select
        chunk_number,
        strategy_number,
        access_key,
        text_number,
        unit_count
    from {{ ref('int_lexical_chunks') }}

),

audiences as (

    select distinct
        audience,
        {{ chunk_bakeoff.explode('access_keys') }} as access_key
    from {{ ref('int_audiences') }}

),

final as (

    select
        audiences.audience,
        chunks.strategy_number,
        chunks.chunk_number,
        chunks.text_number,
        chunks.unit_count
    from chunks
    inner join audiences on chunks.access_key = audiences.access_key

)

select * from final
