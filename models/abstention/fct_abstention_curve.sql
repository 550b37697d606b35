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

-- Questions that the asker's access leaves without an answer also count on their own.
kinds as (

    select
        *,
        'all' as no_answer_kind
    from signals

    union all

    select
        *,
        'unanswerable' as no_answer_kind
    from signals
    where standing in ('scored', 'unanswerable')

    union all

    select
        *,
        'access_blocked' as no_answer_kind
    from signals
    where standing in ('scored', 'access_blocked')

),

totals as (

    select
        config_id,
        label_kind,
        signal,
        split,
        no_answer_kind,
        count(*) filter (where standing = 'scored') as n_with_answer,
        count(*) filter (where standing != 'scored') as n_without_answer
    from kinds
    group by config_id, label_kind, signal, split, no_answer_kind

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

at_value as (

    select
        config_id,
        label_kind,
        signal,
        split,
        no_answer_kind,
        value,
        count(*) filter (where standing = 'scored') as n_with_answer,
        count(*) filter (where standing != 'scored') as n_without_answer
    from kinds
    where value is not null
    group by config_id, label_kind, signal, split, no_answer_kind, value

),

-- What reaches a threshold is what has its value or a higher one.
answered as (

    select
        totals.*,
        thresholds.threshold,
        coalesce(sum(at_value.n_with_answer) over higher, 0) as true_answers,
        coalesce(sum(at_value.n_without_answer) over higher, 0) as false_answers
    from totals
    inner join thresholds
        on
            totals.config_id = thresholds.config_id
            and totals.label_kind = thresholds.label_kind
            and totals.signal = thresholds.signal
    left join at_value
        on
            totals.config_id = at_value.config_id
            and totals.label_kind = at_value.label_kind
            and totals.signal = at_value.signal
            and totals.split = at_value.split
            and totals.no_answer_kind = at_value.no_answer_kind
            and thresholds.threshold = at_value.value
    window higher as (
        partition by
            totals.config_id,
            totals.label_kind,
            totals.signal,
            totals.split,
            totals.no_answer_kind
        order by thresholds.threshold desc
        rows unbounded preceding
    )

),

final as (

    select
        answered.config_id,
        configurations.strategy,
        configurations.retriever,
        configurations.embedding_model,
        configurations.delivery,
        answered.label_kind,
        answered.signal,
        answered.split,
        answered.no_answer_kind,
        answered.threshold,
        answered.n_with_answer,
        answered.n_without_answer,
        (answered.n_with_answer - answered.true_answers) / nullif(answered.n_with_answer, 0)
            as false_abstention_rate,
        answered.false_answers / nullif(answered.n_without_answer, 0) as false_answer_rate,
        1 - answered.false_answers / nullif(answered.n_without_answer, 0) as no_answer_accuracy
    from answered
    inner join configurations on answered.config_id = configurations.config_id

)

select * from final
