with configurations as (

    select * from {{ ref('int_configurations') }}

),

question_metrics as (

    select * from {{ ref('int_question_metrics') }}

),

slices as (

    select * from {{ ref('int_question_slices') }}

),

labels as (

    select
        question_id,
        label_kind,
        standing
    from {{ ref('int_question_labels') }}

),

bootstrap as (

    select * from {{ ref('int_bootstrap_intervals') }}

),

-- Questions that should count, whether or not their labels could be resolved.
given as (

    select
        slices.slice_kind,
        slices.slice_value,
        labels.label_kind,
        count(*) filter (where labels.standing in ('scored', 'unresolved', 'no_evidence'))
            as n_with_answer,
        count(*) filter (where labels.standing in ('unanswerable', 'access_blocked'))
            as n_without_answer
    from slices
    inner join labels on slices.question_id = labels.question_id
    group by slices.slice_kind, slices.slice_value, labels.label_kind

),

aggregated as (

    select
        question_metrics.config_id,
        question_metrics.label_kind,
        slices.slice_kind,
        slices.slice_value,
        question_metrics.metric,
        question_metrics.k,
        question_metrics.token_budget,
        avg(question_metrics.value) as value,
        count(question_metrics.value) as n_scored,
        -- Every question found or not found: a share of questions, with a Wilson interval. A metric
        -- that measures something else is no such share, even where all its values are 0.
        bool_and(
            question_metrics.metric in (
                'recall',
                'recall_at_budget',
                'complete_evidence',
                'complete_evidence_at_budget',
                'no_answer_accuracy'
            )
            and question_metrics.value in (0, 1)
        ) as is_binary
    from question_metrics
    inner join slices on question_metrics.question_id = slices.question_id
    group by
        question_metrics.config_id,
        question_metrics.label_kind,
        slices.slice_kind,
        slices.slice_value,
        question_metrics.metric,
        question_metrics.k,
        question_metrics.token_budget

),

final as (

    select
        aggregated.config_id,
        configurations.strategy,
        configurations.retriever,
        configurations.embedding_model,
        configurations.delivery,
        aggregated.label_kind,
        aggregated.slice_kind,
        aggregated.slice_value,
        aggregated.metric,
        aggregated.k,
        aggregated.token_budget,
        aggregated.value,
        case
            when aggregated.metric = 'no_answer_accuracy' then given.n_without_answer
            else given.n_with_answer
        end as n_given,
        aggregated.n_scored,
        case
            when aggregated.is_binary
                then
                    {{ chunk_bakeoff.wilson_bound('aggregated.value', 'aggregated.n_scored', '-') }}
            else bootstrap.ci_low
        end as ci_low,
        case
            when aggregated.is_binary
                then
                    {{ chunk_bakeoff.wilson_bound('aggregated.value', 'aggregated.n_scored', '+') }}
            else bootstrap.ci_high
        end as ci_high,
        configurations.count_unit
    from aggregated
    inner join configurations on aggregated.config_id = configurations.config_id
    inner join given
        on
            aggregated.label_kind = given.label_kind
            and aggregated.slice_kind = given.slice_kind
            and aggregated.slice_value = given.slice_value
    left join bootstrap
        on
            aggregated.config_id = bootstrap.config_id
            and aggregated.label_kind = bootstrap.label_kind
            and aggregated.slice_kind = bootstrap.slice_kind
            and aggregated.slice_value = bootstrap.slice_value
            and aggregated.metric = bootstrap.metric
            and aggregated.k is not distinct from bootstrap.k
            and aggregated.token_budget is not distinct from bootstrap.token_budget

)

select * from final
