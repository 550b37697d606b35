with thresholds as (

    select * from {{ ref('int_abstention_thresholds') }}

),

curve as (

    select * from {{ ref('fct_abstention_curve') }}

),

tune as (

    select * from curve
    where split = 'tune'

),

holdout as (

    select * from curve
    where split = 'holdout'

),

final as (

    select
        tune.config_id,
        tune.strategy,
        tune.retriever,
        tune.embedding_model,
        tune.delivery,
        tune.label_kind,
        tune.signal,
        tune.no_answer_kind,
        thresholds.threshold,
        {{ chunk_bakeoff.abstention()['target_false_answer_rate'] }} as target_false_answer_rate,
        tune.n_without_answer as tune_n_without_answer,
        tune.no_answer_accuracy as tune_no_answer_accuracy,
        tune.false_abstention_rate as tune_false_abstention_rate,
        holdout.n_without_answer as holdout_n_without_answer,
        holdout.n_with_answer as holdout_n_with_answer,
        holdout.no_answer_accuracy as holdout_no_answer_accuracy,
        holdout.false_abstention_rate as holdout_false_abstention_rate
    from thresholds
    inner join tune
        on
            thresholds.config_id = tune.config_id
            and thresholds.label_kind = tune.label_kind
            and thresholds.signal = tune.signal
            and thresholds.threshold = tune.threshold
    left join holdout
        on
            tune.config_id = holdout.config_id
            and tune.label_kind = holdout.label_kind
            and tune.signal = holdout.signal
            and tune.no_answer_kind = holdout.no_answer_kind
            and tune.threshold = holdout.threshold

)

select * from final
