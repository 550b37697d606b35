{%- set text = dbt.type_string() -%}
{%- set columns = [
    {'name': 'strategy', 'type': text},
    {'name': 'doc_id', 'type': text},
    {'name': 'char_start', 'type': 'bigint'},
    {'name': 'char_end', 'type': 'bigint'},
    {'name': 'body', 'type': text},
    {'name': 'heading_path', 'type': text},
    {'name': 'embed_prefix', 'type': text},
    {'name': 'embed_text', 'type': text},
    {'name': 'context_start', 'type': 'bigint'},
    {'name': 'context_end', 'type': 'bigint'},
    {'name': 'context_prefix', 'type': text},
    {'name': 'settings', 'type': text, 'default': "'{}'"},
    {'name': 'strategy_version', 'type': text, 'default': "'1'"},
] -%}

with documents as (

    select doc_id, revision, acl, text from {{ ref('stg_documents') }}

),

cut as (
    {{ chunk_bakeoff.union_strategies(columns) }}
),

-- The inner join keeps chunks of documents that are no longer there from surfacing.
sliced as (

    select
        cut.strategy,
        cut.doc_id,
        documents.revision,
        documents.acl,
        cut.char_start,
        cut.char_end,
        coalesce(cut.body, {{ chunk_bakeoff.slice_text('documents.text', 'cut.char_start', 'cut.char_end') }}) as body,
        cut.heading_path,
        coalesce(cut.embed_prefix, '') as embed_prefix,
        cut.embed_text,
        coalesce(cut.context_start, cut.char_start) as context_start,
        coalesce(cut.context_end, cut.char_end) as context_end,
        coalesce(cut.context_prefix, '') as context_prefix,
        coalesce(cut.settings, '{}') as settings,
        coalesce(cut.strategy_version, '1') as strategy_version
    from cut
    inner join documents on cut.doc_id = documents.doc_id

),

-- Many children share one context: each is sliced once.
contexts as (

    select distinct
        sliced.strategy,
        sliced.doc_id,
        sliced.context_start,
        sliced.context_end,
        sliced.context_prefix,
        case
            when sliced.context_start = sliced.char_start and sliced.context_end = sliced.char_end then sliced.body
            else {{ chunk_bakeoff.slice_text('documents.text', 'sliced.context_start', 'sliced.context_end') }}
        end as context_body
    from sliced
    inner join documents on sliced.doc_id = documents.doc_id

),

identified_contexts as (

    select
        *,
        {{ chunk_bakeoff.hash_of([
            "'context'", 'strategy', 'doc_id', 'context_prefix', 'context_body',
            "cast(row_number() over (partition by strategy, doc_id, context_prefix, context_body order by context_start, context_end) as varchar)",
        ]) }} as context_id
    from contexts

),

final as (

    select
        sliced.strategy,
        {{ chunk_bakeoff.hash_of([
            "'chunk'", 'sliced.strategy', 'sliced.doc_id', 'sliced.body',
            "cast(row_number() over (partition by sliced.strategy, sliced.doc_id, sliced.body order by sliced.char_start, sliced.char_end, sliced.context_start) as varchar)",
        ]) }} as chunk_id,
        sliced.doc_id,
        sliced.revision,
        sliced.acl,
        row_number() over (
            partition by sliced.strategy, sliced.doc_id
            order by sliced.char_start, sliced.char_end, sliced.context_start
        ) - 1 as chunk_index,
        sliced.char_start,
        sliced.char_end,
        sliced.body,
        coalesce(sliced.embed_text, sliced.embed_prefix || sliced.body) as embed_text,
        sliced.heading_path,
        identified_contexts.context_id,
        sliced.context_start,
        sliced.context_end,
        sliced.context_prefix || identified_contexts.context_body as context_text,
        sliced.strategy_version,
        sliced.settings
    from sliced
    inner join identified_contexts
        on
            sliced.strategy = identified_contexts.strategy
            and sliced.doc_id = identified_contexts.doc_id
            and sliced.context_start = identified_contexts.context_start
            and sliced.context_end = identified_contexts.context_end
            and sliced.context_prefix = identified_contexts.context_prefix

)

select
    *,
    {{ chunk_bakeoff.hash_of(["'text'", 'embed_text']) }} as embedding_key
from final
