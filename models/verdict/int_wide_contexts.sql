with chunks as (

    select
        strategy,
        char_start,
        char_end,
        heading_path,
        context_start,
        context_end
    from {{ ref('int_chunks') }}

),

final as (

    select
        strategy,
        avg(context_end - context_start) as mean_context_characters,
        -- Small units are ranked and what stands around them is delivered.
        avg(case when context_end - context_start > char_end - char_start then 1.0 else 0.0 end)
        >= 0.5 as delivers_wider,
        -- Neighbours of a sentence or wide windows are no sections: those know their headings.
        avg(case when heading_path is not null then 1.0 else 0.0 end) >= 0.5 as follows_sections
    from chunks
    group by strategy

)

select * from final
