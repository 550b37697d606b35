{%- set context_body = chunk_bakeoff.slice_text(
    'documents.text', 'chunks.context_start', 'chunks.context_end'
) -%}

with retrievals as (

    select
        config_id,
        strategy,
        question_id,
        rank,
        context_id
    from {{ ref('fct_retrievals') }}

),

scored as (

    select question_id from {{ ref('int_question_labels') }}
    where standing = 'scored' and label_kind = 'anchor'

),

anchors as (

    select
        golden_spans.question_id,
        golden_spans.span_index,
        golden_spans.quote as anchor
    from {{ ref('stg_golden_spans') }} as golden_spans
    inner join scored on golden_spans.question_id = scored.question_id
    where golden_spans.label_kind = 'anchor'

),

documents as (

    select
        doc_id,
        text
    from {{ ref('stg_documents') }}

),

contexts as (

    select distinct
        chunks.strategy,
        chunks.context_id,
        lower({{ context_body }}) as lowered
    from {{ ref('int_chunks') }} as chunks
    inner join documents on chunks.doc_id = documents.doc_id
    where exists (select anchors.anchor from anchors)

),

final as (

    select
        retrievals.config_id,
        anchors.question_id,
        anchors.span_index,
        min(retrievals.rank) as hit_rank
    from retrievals
    inner join anchors on retrievals.question_id = anchors.question_id
    inner join contexts
        on
            retrievals.strategy = contexts.strategy
            and retrievals.context_id = contexts.context_id
    where contains(contexts.lowered, lower(anchors.anchor))
    group by retrievals.config_id, anchors.question_id, anchors.span_index

)

select * from final
