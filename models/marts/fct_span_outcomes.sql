with configurations as (

    select * from {{ ref('int_configurations') }}

),

labels as (

    select
        question_id,
        label_kind
    from {{ ref('int_question_labels') }}
    where standing = 'scored'

),

golden_spans as (

    select
        question_id,
        label_kind,
        span_index,
        doc_id
    from {{ ref('stg_golden_spans') }}

),

ranks as (

    select
        config_id,
        'span' as label_kind,
        question_id,
        span_index,
        found_at_rank,
        hit_rank
    from {{ ref('int_span_ranks') }}

    union all

    -- There is no union of contexts for anchors: one of them must hold the whole string.
    select
        config_id,
        'anchor' as label_kind,
        question_id,
        span_index,
        hit_rank as found_at_rank,
        hit_rank
    from {{ ref('int_anchor_ranks') }}

),

retrievals as (

    select
        config_id,
        question_id,
        rank,
        cumulative_tokens
    from {{ ref('fct_retrievals') }}

),

expected as (

    select
        configurations.config_id,
        configurations.strategy,
        configurations.retriever,
        configurations.embedding_model,
        configurations.delivery,
        golden_spans.label_kind,
        golden_spans.question_id,
        golden_spans.span_index,
        golden_spans.doc_id
    from golden_spans
    inner join labels
        on
            golden_spans.question_id = labels.question_id
            and golden_spans.label_kind = labels.label_kind
    cross join configurations

),

final as (

    select
        expected.config_id,
        expected.strategy,
        expected.retriever,
        expected.embedding_model,
        expected.delivery,
        expected.label_kind,
        expected.question_id,
        expected.span_index,
        expected.doc_id,
        ranks.found_at_rank,
        retrievals.cumulative_tokens as found_at_tokens,
        ranks.hit_rank
    from expected
    left join ranks
        on
            expected.config_id = ranks.config_id
            and expected.label_kind = ranks.label_kind
            and expected.question_id = ranks.question_id
            and expected.span_index = ranks.span_index
    left join retrievals
        on
            ranks.config_id = retrievals.config_id
            and ranks.question_id = retrievals.question_id
            and ranks.found_at_rank = retrievals.rank

)

select * from final
