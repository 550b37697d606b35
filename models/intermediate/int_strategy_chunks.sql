{%- set body_slice = chunk_bakeoff.slice_text(
    'documents.text', 'cuts.char_start', 'cuts.char_end'
) -%}
{%- set context_slice = chunk_bakeoff.slice_text(
    'documents.text', 'contexts.context_start', 'contexts.context_end'
) -%}
{%- set window_slice = chunk_bakeoff.slice_text(
    'documents.text', 'cuts.window_start', 'cuts.window_end'
) -%}
{%- set text = dbt.type_string() %}

with documents as (

    select
        doc_id,
        revision,
        acl,
        text
    from {{ ref('stg_documents') }}

),

cuts as (

    select * from {{ ref('int_strategy_cuts') }}

),

-- The inner join keeps chunks of documents that are no longer there from surfacing.
completed as (

    select
        cuts.strategy,
        cuts.doc_id,
        documents.revision,
        documents.acl,
        cuts.char_start,
        cuts.char_end,
        coalesce(cuts.body, {{ body_slice }}) as body,
        cuts.heading_path,
        coalesce(cuts.embed_prefix, '') as embed_prefix,
        cuts.embed_text,
        coalesce(cuts.context_start, cuts.char_start) as context_start,
        coalesce(cuts.context_end, cuts.char_end) as context_end,
        coalesce(cuts.context_prefix, '') as context_prefix,
        case when cuts.window_start is not null then {{ window_slice }} end as embed_window,
        cuts.char_start - cuts.window_start as pool_start,
        cuts.char_end - cuts.window_start as pool_end,
        cuts.parent_start,
        cuts.parent_end,
        coalesce(cuts.settings, '{}') as settings,
        coalesce(cuts.strategy_version, '1') as strategy_version
    from cuts
    inner join documents on cuts.doc_id = documents.doc_id

),

-- Counted within equal bodies: after an edit elsewhere in the document a chunk keeps its id.
units as (

    select
        strategy,
        doc_id,
        revision,
        acl,
        char_start,
        char_end,
        body,
        heading_path,
        context_start,
        context_end,
        context_prefix,
        embed_window,
        pool_start,
        pool_end,
        parent_start,
        parent_end,
        settings,
        strategy_version,
        coalesce(embed_text, embed_prefix || body) as embed_text,
        row_number() over (
            partition by strategy, doc_id
            order by char_start, char_end, context_start, context_end, embed_prefix, embed_text
        ) - 1 as chunk_index,
        row_number() over (
            partition by strategy, doc_id, body
            order by char_start, char_end, context_start, context_end, embed_prefix, embed_text
        ) as body_number
    from completed

),

-- Many children share one context, which is sliced once; a context that is a unit is not sliced.
contexts as (

    select
        strategy,
        doc_id,
        context_start,
        context_end,
        context_prefix,
        max(
            case when context_start = char_start and context_end = char_end then body end
        ) as body
    from completed
    group by strategy, doc_id, context_start, context_end, context_prefix

),

sliced_contexts as (

    select
        contexts.strategy,
        contexts.doc_id,
        contexts.context_start,
        contexts.context_end,
        contexts.context_prefix,
        coalesce(contexts.body, {{ context_slice }}) as body
    from contexts
    inner join documents on contexts.doc_id = documents.doc_id

),

numbered_contexts as (

    select
        *,
        row_number() over (
            partition by strategy, doc_id, context_prefix, body
            order by context_start, context_end
        ) as body_number
    from sliced_contexts

),

identified_contexts as (

    select
        strategy,
        doc_id,
        context_start,
        context_end,
        context_prefix,
        context_prefix || body as context_text,
        {{ chunk_bakeoff.hash_of([
            "'context'", 'strategy', 'doc_id', 'context_prefix', 'body',
            'cast(body_number as ' ~ dbt.type_string() ~ ')',
        ]) }} as context_id
    from numbered_contexts

),

final as (

    select
        units.strategy,
        {{ chunk_bakeoff.hash_of([
            "'chunk'", 'units.strategy', 'units.doc_id', 'units.body',
            'cast(units.body_number as ' ~ dbt.type_string() ~ ')',
        ]) }} as chunk_id,
        units.doc_id,
        units.revision,
        units.acl,
        units.chunk_index,
        units.char_start,
        units.char_end,
        units.body,
        units.embed_text,
        units.heading_path,
        identified_contexts.context_id,
        units.context_start,
        units.context_end,
        identified_contexts.context_text,
        -- With late chunking the vector depends on all of the window and the place in it.
        case
            when units.embed_window is null
                then {{ chunk_bakeoff.hash_of(["'text'", 'units.embed_text']) }}
            else {{ chunk_bakeoff.hash_of([
                "'late'", 'units.embed_window', 'cast(units.pool_start as ' ~ text ~ ')',
                'cast(units.pool_end as ' ~ text ~ ')',
            ]) }}
        end as embedding_key,
        units.embed_window,
        units.pool_start,
        units.pool_end,
        units.parent_start,
        units.parent_end,
        units.strategy_version,
        units.settings
    from units
    inner join identified_contexts
        on
            units.strategy = identified_contexts.strategy
            and units.doc_id = identified_contexts.doc_id
            and units.context_start = identified_contexts.context_start
            and units.context_end = identified_contexts.context_end
            and units.context_prefix = identified_contexts.context_prefix

)

select * from final
