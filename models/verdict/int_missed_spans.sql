with configurations as (

    select * from {{ ref('int_configurations') }}

),

outcomes as (

    select * from {{ ref('fct_span_outcomes') }}
    where label_kind = 'span'

),

found as (

    select
        config_id,
        question_id,
        cutoff_number
    from {{ ref('int_found_questions') }}
    where label_kind = 'span'

),

cutoffs as (

    select * from {{ ref('int_cutoffs') }}

),

-- The span that arrives last, or not at all, decides the question.
last_spans as (

    select
        config_id,
        question_id,
        span_index,
        doc_id,
        found_at_rank,
        found_at_tokens
    from outcomes
    qualify
        row_number() over (
            partition by config_id, question_id
            order by found_at_rank desc nulls first, span_index asc
        ) = 1

),

final as (

    select
        last_spans.config_id,
        configurations.strategy,
        configurations.retriever,
        configurations.embedding_model,
        configurations.delivery,
        last_spans.question_id,
        last_spans.span_index,
        last_spans.doc_id,
        last_spans.found_at_rank,
        last_spans.found_at_tokens,
        cutoffs.cutoff_number,
        cutoffs.metric,
        cutoffs.k,
        cutoffs.token_budget
    from last_spans
    inner join configurations on last_spans.config_id = configurations.config_id
    cross join cutoffs
    anti join found
        on
            last_spans.config_id = found.config_id
            and last_spans.question_id = found.question_id
            and cutoffs.cutoff_number = found.cutoff_number

)

select * from final
