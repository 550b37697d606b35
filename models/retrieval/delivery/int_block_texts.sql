{{ config(enabled=chunk_bakeoff.shaped_deliveries() | length > 0) }}

with blocks as (

    select distinct
        doc_id,
        block_start,
        block_end,
        block_prefix
    from {{ ref('int_merged_contexts') }}

),

documents as (

    select
        doc_id,
        text
    from {{ ref('stg_documents') }}

),

texts as (

    select
        blocks.doc_id,
        blocks.block_start,
        blocks.block_end,
        blocks.block_prefix,
        blocks.block_prefix
        || {{ chunk_bakeoff.slice_text(
            'documents.text', 'blocks.block_start', 'blocks.block_end'
        ) }} as text
    from blocks
    inner join documents on blocks.doc_id = documents.doc_id

),

final as (

    select
        *,
        '{{ chunk_bakeoff.context_tokenizer() }}' as tokenizer,
        {{ chunk_bakeoff.hash_of([
            "'block'", 'doc_id', 'cast(block_start as varchar)', 'cast(block_end as varchar)',
            'block_prefix',
        ]) }} as text_key
    from texts

)

select * from final
