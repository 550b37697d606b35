with configurations as (

    select * from {{ ref('int_configurations') }}

),

slices as (

    select * from {{ ref('int_question_slices') }}
    where slice_kind in ('all', 'split')

),

primary_metric as (

    select
        config_id,
        label_kind,
        question_id,
        value
    from {{ ref('int_question_metrics') }}
    where metric = 'recall_at_budget' and token_budget = {{ var('default_budget') }}

),

valued as (

    select
        primary_metric.*,
        configurations.retriever,
        configurations.embedding_model,
        configurations.delivery
    from primary_metric
    inner join configurations on primary_metric.config_id = configurations.config_id

),

differences as (

    select
        a.config_id,
        b.config_id as rival_id,
        a.label_kind,
        slices.slice_kind,
        slices.slice_value,
        count(*) as questions,
        avg(b.value - a.value) as loss,
        sum(b.value - a.value) as total,
        sum(power(b.value - a.value, 2)) as total_of_squares
    from valued as a
    inner join valued as b
        on
            a.question_id = b.question_id
            and a.label_kind = b.label_kind
            and a.retriever = b.retriever
            and a.embedding_model = b.embedding_model
            and a.delivery = b.delivery
            and a.config_id != b.config_id
    inner join slices on a.question_id = slices.question_id
    group by a.config_id, b.config_id, a.label_kind, slices.slice_kind, slices.slice_value

),

-- The adjusted Wald interval of Bonett and Price (2012): one more question that each of the two
-- wins. It keeps its width where no question or few flip, as a bootstrap would not.
adjusted as (

    select
        *,
        total / (questions + 2) as centre,
        sqrt(
            ((total_of_squares + 2) / (questions + 2) - power(total / (questions + 2), 2))
            / (questions + 2)
        ) as standard_error
    from differences

),

final as (

    select
        config_id,
        rival_id,
        label_kind,
        slice_kind,
        slice_value,
        questions,
        loss,
        greatest(-1.0, centre - 1.959963984540054 * standard_error) as loss_ci_low,
        least(1.0, centre + 1.959963984540054 * standard_error) as loss_ci_high,
        -- Standard error of one question: what the interval's width shrinks from.
        standard_error * sqrt(questions + 2) as spread
    from adjusted

)

select * from final
