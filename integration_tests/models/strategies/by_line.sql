with documents as (

    select doc_id, text from {{ ref('chunk_bakeoff', 'stg_documents') }}

),

lines as (

    select
        doc_id,
        unnest(string_split(text, chr(10))) as line,
        generate_subscripts(string_split(text, chr(10)), 1) as line_number
    from documents

),

placed as (

    select
        doc_id,
        line,
        sum(length(line) + 1) over (partition by doc_id order by line_number) - 1 as char_end
    from lines

),

final as (

    select
        'by_line' as strategy,
        doc_id,
        char_end - length(line) as char_start,
        char_end
    from placed
    where line != ''

)

select * from final
