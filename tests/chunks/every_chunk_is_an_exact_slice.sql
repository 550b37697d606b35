{%- set slice = chunk_bakeoff.slice_text(
    'around', '(slice_start - around_start)', '(slice_end - around_start)'
) -%}

-- Offsets are carried from the cut, never recovered by search: a body is exactly the slice of the
-- document between its offsets, and a context ends with the slice between its own.
--
-- The document is taken apart into lines first. Slicing the whole text once per chunk would read
-- it from the start every time, which is quadratic in the length of the document.
with chunks as (

    select * from {{ ref('int_chunks') }}

),

documents as (

    select
        doc_id,
        text
    from {{ ref('stg_documents') }}

),

-- Strategies often cut the same slice: each is compared once.
claims as (

    select distinct
        doc_id,
        char_start as slice_start,
        char_end as slice_end,
        body as claimed
    from chunks

    union

    select distinct
        doc_id,
        context_start as slice_start,
        context_end as slice_end,
        right(context_text, cast(context_end - context_start as integer)) as claimed
    from chunks

),

lines as (
    {{ chunk_bakeoff.lines_of('documents') }}
),

placed_lines as (

    select
        doc_id,
        line || chr(10) as line,
        cast(
            sum(length(line) + 1) over (partition by doc_id order by line_number) as bigint
        ) as line_end
    from lines

),

slices as (

    select
        claims.doc_id,
        claims.slice_start,
        claims.slice_end,
        claims.claimed,
        string_agg(placed_lines.line, '' order by placed_lines.line_end) as around,
        min(placed_lines.line_end - length(placed_lines.line)) as around_start
    from claims
    left join placed_lines
        on
            claims.doc_id = placed_lines.doc_id
            and claims.slice_start < placed_lines.line_end
            and claims.slice_end > placed_lines.line_end - length(placed_lines.line)
    group by claims.doc_id, claims.slice_start, claims.slice_end, claims.claimed

)

select
    doc_id,
    slice_start,
    slice_end,
    claimed,
    {{ slice }} as slice
from slices
where claimed is distinct from {{ slice }}
