{{ config(enabled=chunk_bakeoff.needs_postings()) }}

with texts as (

    select distinct embed_text from {{ ref('int_chunks') }}

),

split as (

    select
        {{ chunk_bakeoff.hash_of(["'text'", 'embed_text']) }} as text_key,
        {{ chunk_bakeoff.lexical_units('embed_text') }} as units
    from texts

),

final as (

    select
        cast(row_number() over (order by text_key) as integer) as text_number,
        text_key,
        units,
        cast(len(units) as integer) as unit_count
    from split

)

select * from final
