with configurations as (

    select
        config_id,
        embedding_model
    from {{ ref('int_configurations') }}

),

outcomes as (

    select
        config_id,
        label_kind,
        question_id,
        found_at_rank,
        found_at_tokens,
        hit_rank
    from {{ ref('fct_span_outcomes') }}

),

labels as (

    select
        question_id,
        label_kind
    from {{ ref('int_question_labels') }}
    where standing = 'scored'

),

without_answer as (

    select
        question_id,
        label_kind
    from {{ ref('int_question_labels') }}
    where standing in ('unanswerable', 'access_blocked')

),

abstentions as (

    select
        signals.config_id,
        signals.label_kind,
        signals.question_id,
        coalesce(signals.value >= thresholds.threshold, false) as is_answered
    from {{ ref('int_abstention_signals') }} as signals
    inner join {{ ref('int_abstention_thresholds') }} as thresholds
        on
            signals.config_id = thresholds.config_id
            and signals.label_kind = thresholds.label_kind
            and signals.signal = thresholds.signal
    where signals.signal = '{{ chunk_bakeoff.abstention()['signal'] }}'

),

answered as (

    select distinct
        config_id,
        question_id
    from {{ ref('fct_retrievals') }}

),

delivery as (

    select * from {{ ref('int_delivery_by_k') }}

),

characters as (

    select * from {{ ref('int_question_characters') }}

),

budget_tokens as (

    select * from {{ ref('int_question_budgets') }}

),

cutoffs as (
    {{ chunk_bakeoff.as_values(var('k_values'), 'k') }}

),

budgets as (
    {{ chunk_bakeoff.as_values(var('token_budgets'), 'token_budget') }}

),

questions as (

    select
        config_id,
        label_kind,
        question_id,
        count(*) as spans,
        -- Null as soon as one span is missing: then the question as a whole is not found.
        case when count(*) = count(found_at_rank) then max(found_at_rank) end as complete_at_rank,
        case when count(*) = count(found_at_tokens) then max(found_at_tokens) end
            as complete_at_tokens,
        min(hit_rank) as first_hit_rank
    from outcomes
    group by config_id, label_kind, question_id

),

recall_at_k as (

    select
        outcomes.config_id,
        outcomes.label_kind,
        outcomes.question_id,
        'recall' as metric,
        cutoffs.k,
        cast(null as integer) as token_budget,
        count(*) filter (where outcomes.found_at_rank <= cutoffs.k) / count(*) as value
    from outcomes
    cross join cutoffs
    group by outcomes.config_id, outcomes.label_kind, outcomes.question_id, cutoffs.k

),

recall_at_budget as (

    select
        outcomes.config_id,
        outcomes.label_kind,
        outcomes.question_id,
        'recall_at_budget' as metric,
        cast(null as integer) as k,
        budgets.token_budget,
        count(*) filter (where outcomes.found_at_tokens <= budgets.token_budget) / count(*) as value
    from outcomes
    cross join budgets
    group by outcomes.config_id, outcomes.label_kind, outcomes.question_id, budgets.token_budget

),

complete_at_k as (

    select
        questions.config_id,
        questions.label_kind,
        questions.question_id,
        'complete_evidence' as metric,
        cutoffs.k,
        cast(null as integer) as token_budget,
        case
            when questions.complete_at_rank <= cutoffs.k then 1.0
            else 0.0
        end as value
    from questions
    cross join cutoffs

),

complete_at_budget as (

    select
        questions.config_id,
        questions.label_kind,
        questions.question_id,
        'complete_evidence_at_budget' as metric,
        cast(null as integer) as k,
        budgets.token_budget,
        case
            when questions.complete_at_tokens <= budgets.token_budget then 1.0
            else 0.0
        end as value
    from questions
    cross join budgets

),

reciprocal_rank as (

    select
        config_id,
        label_kind,
        question_id,
        'mrr' as metric,
        {{ var('k_values') | max }} as k,
        cast(null as integer) as token_budget,
        case
            when first_hit_rank <= {{ var('k_values') | max }} then 1.0 / first_hit_rank
            else 0.0
        end as value
    from questions

),

-- A question that got nothing carries nothing.
delivered as (

    select
        configurations.config_id,
        labels.label_kind,
        labels.question_id,
        cutoffs.k,
        coalesce(delivery.context_tokens, 0) as context_tokens,
        coalesce(1 - delivery.distinct_characters / nullif(delivery.characters, 0), 0)
            as repeated_share
    from labels
    cross join configurations
    cross join cutoffs
    left join delivery
        on
            labels.question_id = delivery.question_id
            and configurations.config_id = delivery.config_id
            and cutoffs.k = delivery.k

),

context_tokens as (

    select
        config_id,
        label_kind,
        question_id,
        'context_tokens' as metric,
        k,
        cast(null as integer) as token_budget,
        context_tokens as value
    from delivered

),

repeated_share as (

    select
        config_id,
        label_kind,
        question_id,
        'repeated_share' as metric,
        k,
        cast(null as integer) as token_budget,
        repeated_share as value
    from delivered

),

last_evidence_rank as (

    -- The rank at which the last piece arrives; no value where one never does.
    select
        config_id,
        label_kind,
        question_id,
        'last_evidence_rank' as metric,
        cast(null as integer) as k,
        cast(null as integer) as token_budget,
        complete_at_rank as value
    from questions

),

-- A ranking of vectors always returns something: without a threshold there is no value.
no_answer_accuracy as (

    select
        configurations.config_id,
        without_answer.label_kind,
        without_answer.question_id,
        'no_answer_accuracy' as metric,
        cast(null as integer) as k,
        cast(null as integer) as token_budget,
        case
            when abstentions.is_answered then 0.0
            when not abstentions.is_answered then 1.0
            when configurations.embedding_model != 'none' then null
            when answered.question_id is null then 1.0
            else 0.0
        end as value
    from without_answer
    cross join configurations
    left join answered
        on
            without_answer.question_id = answered.question_id
            and configurations.config_id = answered.config_id
    left join abstentions
        on
            configurations.config_id = abstentions.config_id
            and without_answer.label_kind = abstentions.label_kind
            and without_answer.question_id = abstentions.question_id

),

final as (

    select * from recall_at_k
    union all
    select * from recall_at_budget
    union all
    select * from complete_at_k
    union all
    select * from complete_at_budget
    union all
    select * from reciprocal_rank
    union all
    select * from context_tokens
    union all
    select * from repeated_share
    union all
    select * from no_answer_accuracy
    union all
    select
        config_id,
        label_kind,
        question_id,
        metric,
        k,
        cast(null as integer) as token_budget,
        value
    from characters
    union all
    select
        config_id,
        label_kind,
        question_id,
        metric,
        cast(null as integer) as k,
        token_budget,
        value
    from budget_tokens
    union all
    select * from last_evidence_rank

)

select
    config_id,
    label_kind,
    question_id,
    metric,
    cast(k as integer) as k,
    cast(token_budget as integer) as token_budget,
    cast(value as double) as value
from final
