{{ config(enabled=var('elements_path') is not none) }}

with documents as (

    select
        doc_id,
        {{ chunk_bakeoff.hash_of(["'text'", 'text']) }} as text_key
    from {{ ref('stg_documents') }}

),

chunks as (

    select
        strategy,
        chunk_id,
        {{ chunk_bakeoff.hash_of(["'text'", 'body']) }} as body_key,
        {{ chunk_bakeoff.hash_of(["'text'", 'embed_text']) }} as retrieval_key
    from {{ ref('int_chunks') }}

),

counts as (

    select
        text_key,
        token_count
    from {{ ref('int_token_counts') }}
    where tokenizer = '{{ chunk_bakeoff.context_tokenizer() }}'

),

configurations as (

    select * from {{ ref('int_configurations') }}

),

metrics as (

    select * from {{ ref('fct_metrics') }}
    where slice_kind in ('all', 'tag')

),

sources as (

    select sum(counts.token_count) as source_units
    from documents
    inner join counts on documents.text_key = counts.text_key

),

lengths as (

    select
        chunks.strategy,
        count(*) as chunks,
        sum(bodies.token_count) as body_units,
        sum(retrieved.token_count) as retrieval_units,
        min(bodies.token_count) as shortest_chunk,
        quantile_cont(bodies.token_count, 0.25) as lower_quartile,
        quantile_cont(bodies.token_count, 0.5) as median_chunk,
        quantile_cont(bodies.token_count, 0.75) as upper_quartile,
        max(bodies.token_count) as longest_chunk
    from chunks
    inner join counts as bodies on chunks.body_key = bodies.text_key
    inner join counts as retrieved on chunks.retrieval_key = retrieved.text_key
    group by chunks.strategy

),

quality as (

    select
        config_id,
        label_kind,
        slice_value as question_set,
        max(n_scored) filter (where metric = 'mrr') as n_scored,
        max(value) filter (where metric = 'context_tokens' and k = 3) as mean_context_units_at_3,
        max(value) filter (where metric = 'recall' and k = 3) as anchor_recall_at_3,
        max(value) filter (where metric = 'mrr') as mrr,
        max(value) filter (where metric = 'complete_evidence' and k = 3) as complete_evidence_at_3,
        max(value) filter (where metric = 'no_answer_accuracy') as no_answer_accuracy
    from metrics
    group by config_id, label_kind, slice_value

),

final as (

    select
        quality.config_id,
        configurations.strategy,
        configurations.retriever,
        configurations.embedding_model,
        configurations.delivery,
        quality.label_kind,
        quality.question_set,
        configurations.count_unit,
        lengths.chunks,
        cast(sources.source_units as bigint) as source_units,
        cast(lengths.body_units as bigint) as body_units,
        cast(lengths.retrieval_units as bigint) as retrieval_units,
        -- Text that stands in several chunks counts in each; headings and headers put in front
        -- of a chunk are in `retrieval_units` alone.
        lengths.body_units / sources.source_units as duplication_ratio,
        lengths.shortest_chunk,
        lengths.lower_quartile,
        lengths.median_chunk,
        lengths.upper_quartile,
        lengths.longest_chunk,
        cast(coalesce(quality.n_scored, 0) as bigint) as n_scored,
        quality.mean_context_units_at_3,
        quality.anchor_recall_at_3,
        quality.mrr,
        quality.complete_evidence_at_3,
        quality.no_answer_accuracy
    from quality
    inner join configurations on quality.config_id = configurations.config_id
    inner join lengths on configurations.strategy = lengths.strategy
    cross join sources

)

select * from final
