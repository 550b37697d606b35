with signals as (

    select * from {{ ref('int_abstention_signals') }}

),

configurations as (

    select
        config_id,
        strategy,
        retriever,
        embedding_model,
        delivery
    from {{ ref('int_configurations') }}

),

-- Every value that was seen, and one that no value reaches.
thresholds as (

    select distinct
        config_id,
        label_kind,
        signal,
        value as threshold
    from signals
    where value is not null

    union all

    select distinct
        config_id,
        label_kind,
        signal,
        cast('infinity' as double) as threshold
    from signals

),

decided as (

    select
        thresholds.config_id,
        thresholds.label_kind,
        thresholds.signal,
        thresholds.threshold,
        signals.split,
        signals.standing,
        coalesce(signals.value >= thresholds.threshold, false) as is_answered
    from thresholds
    inner join signals
        on
            thresholds.config_id = signals.config_id
            and thresholds.label_kind = signals.label_kind
            and thresholds.signal = signals.signal

),

-- Questions that the asker's access leaves without an answer also count on their own.
kinds as (

    select
        *,
        'all' as no_answer_kind
    from decided

    union all

    select
        *,
        'unanswerable' as no_answer_kind
    from decided
    where standing in ('scored', 'unanswerable')

    union all

    select
        *,
        'access_blocked' as no_answer_kind
    from decided
    where standing in ('scored', 'access_blocked')

),

counted as (

    select
        config_id,
        label_kind,
        signal,
        split,
        no_answer_kind,
        threshold,
        count(*) filter (where standing = 'scored') as n_with_answer,
        count(*) filter (where standing <> 'scored') as n_without_answer,
        count(*) filter (where standing = 'scored' and not is_answered) as false_abstentions,
        count(*) filter (where standing <> 'scored' and is_answered) as false_answers
    from kinds
    group by config_id, label_kind, signal, split, no_answer_kind, threshold

),

final as (

    select
        counted.config_id,
        configurations.strategy,
        configurations.retriever,
        configurations.embedding_model,
        configurations.delivery,
        counted.label_kind,
        counted.signal,
        counted.split,
        counted.no_answer_kind,
        counted.threshold,
        counted.n_with_answer,
        counted.n_without_answer,
        counted.false_abstentions / nullif(counted.n_with_answer, 0) as false_abstention_rate,
        counted.false_answers / nullif(counted.n_without_answer, 0) as false_answer_rate,
        1 - counted.false_answers / nullif(counted.n_without_answer, 0) as no_answer_accuracy
    from counted
    inner join configurations on counted.config_id = configurations.config_id

)

select * from final
