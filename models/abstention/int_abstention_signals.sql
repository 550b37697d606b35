with configurations as (

    select config_id from {{ ref('int_configurations') }}

),

questions as (

    select
        question_id,
        split
    from {{ ref('stg_questions') }}

),

labels as (

    select
        question_id,
        label_kind,
        standing
    from {{ ref('int_question_labels') }}
    where standing in ('scored', 'unanswerable', 'access_blocked')

),

first_two as (

    select
        config_id,
        question_id,
        max(score) filter (where rank = 1) as first_score,
        max(score) filter (where rank = 2) as second_score
    from {{ ref('fct_retrievals') }}
    where rank <= 2
    group by config_id, question_id

),

signals as (

    select
        config_id,
        question_id,
        'score' as signal,
        first_score as value
    from first_two

    union all

    -- A result without a second one is as far from the next as its score says.
    select
        config_id,
        question_id,
        'margin' as signal,
        round(first_score - coalesce(second_score, 0), 6) as value
    from first_two

),

signal_names as (

    select 'score' as signal
    union all
    select 'margin' as signal

),

-- No value where nothing was retrieved: then there is no answer at any threshold.
final as (

    select
        configurations.config_id,
        labels.label_kind,
        questions.question_id,
        questions.split,
        labels.standing,
        signal_names.signal,
        signals.value
    from configurations
    cross join labels
    cross join signal_names
    inner join questions on labels.question_id = questions.question_id
    left join signals
        on
            configurations.config_id = signals.config_id
            and labels.question_id = signals.question_id
            and signal_names.signal = signals.signal

)

select * from final
