with configurations as (

    select
        config_id,
        strategy
    from {{ ref('int_configurations') }}

),

gold as (

    select
        question_id,
        sum(gold_end - gold_start) as gold_total
    from {{ ref('int_gold_regions') }}
    group by question_id

),

cutoffs as (
    {{ chunk_bakeoff.as_values(var('k_values'), 'k') }}

),

delivered as (

    select
        config_id,
        question_id,
        k,
        distinct_characters
    from {{ ref('int_delivery_by_k') }}

),

gold_delivered as (

    select * from {{ ref('int_gold_delivered') }}

),

ideal as (

    select * from {{ ref('int_ideal_precision') }}

),

-- A question that got nothing counts as 0.
counted as (

    select
        configurations.config_id,
        gold.question_id,
        cutoffs.k,
        gold.gold_total,
        coalesce(delivered.distinct_characters, 0) as characters,
        coalesce(gold_delivered.gold_characters, 0) as gold_characters
    from gold
    cross join configurations
    cross join cutoffs
    left join delivered
        on
            configurations.config_id = delivered.config_id
            and gold.question_id = delivered.question_id
            and cutoffs.k = delivered.k
    left join gold_delivered
        on
            configurations.config_id = gold_delivered.config_id
            and gold.question_id = gold_delivered.question_id
            and cutoffs.k = gold_delivered.k

),

final as (

    select
        config_id,
        question_id,
        'precision' as metric,
        k,
        coalesce(gold_characters / nullif(characters, 0), 0) as value
    from counted

    union all

    select
        config_id,
        question_id,
        'character_recall' as metric,
        k,
        gold_characters / gold_total as value
    from counted

    union all

    select
        config_id,
        question_id,
        'iou' as metric,
        k,
        gold_characters / (characters + gold_total - gold_characters) as value
    from counted

    union all

    select
        configurations.config_id,
        gold.question_id,
        'precision_omega' as metric,
        null as k,
        coalesce(ideal.ideal_precision, 0) as value
    from gold
    cross join configurations
    left join ideal
        on
            gold.question_id = ideal.question_id
            and configurations.strategy = ideal.strategy

)

select
    config_id,
    'span' as label_kind,
    question_id,
    metric,
    cast(k as integer) as k,
    cast(value as double) as value
from final
