{{ config(enabled=chunk_bakeoff.needs_postings()) }}

with texts as (

    select
        text_number,
        unit_count,
        units
    from {{ ref('int_lexical_texts') }}

),

exploded as (

    select
        text_number,
        unit_count,
        {{ chunk_bakeoff.explode('units') }} as unit
    from texts

),

final as (

    select
        unit,
        text_number,
        unit_count,
        cast(count(*) as integer) as occurrences
    from exploded
    group by unit, text_number, unit_count

)

-- In the order in which they are looked up.
select * from final
order by unit, text_number
