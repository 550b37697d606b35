with configurations as (

    select * from {{ ref('int_configurations') }}

),

outcomes as (

    select
        config_id,
        label_kind,
        question_id,
        found_at_rank,
        found_at_tokens
    from {{ ref('fct_span_outcomes') }}

),

slices as (

    select * from {{ ref('int_question_slices') }}

),

ranks as (

    select
        {{ chunk_bakeoff.explode('generate_series(1, ' ~ (var('k_values') | max) ~ ')') }}
            as position

),

weighted as (

    select
        *,
        1.0 / count(*) over (partition by config_id, label_kind, question_id) as weight
    from outcomes

),

members as (

    select
        weighted.*,
        slices.slice_kind,
        slices.slice_value
    from weighted
    inner join slices on weighted.question_id = slices.question_id

),

sizes as (

    select
        config_id,
        label_kind,
        slice_kind,
        slice_value,
        count(distinct question_id) as n_scored
    from members
    group by config_id, label_kind, slice_kind, slice_value

),

gains as (

    select
        config_id,
        label_kind,
        slice_kind,
        slice_value,
        'rank' as axis,
        found_at_rank as position,
        sum(weight) as gain
    from members
    where found_at_rank <= {{ var('k_values') | max }}
    group by config_id, label_kind, slice_kind, slice_value, found_at_rank

    union all

    select
        config_id,
        label_kind,
        slice_kind,
        slice_value,
        'tokens' as axis,
        found_at_tokens as position,
        sum(weight) as gain
    from members
    where found_at_tokens <= {{ var('token_budgets') | max }}
    group by config_id, label_kind, slice_kind, slice_value, found_at_tokens

),

-- Every rank has a row; the curve over tokens starts at 0 and has a row where it steps.
positions as (

    select
        sizes.config_id,
        sizes.label_kind,
        sizes.slice_kind,
        sizes.slice_value,
        'rank' as axis,
        ranks.position
    from sizes
    cross join ranks

    union

    select
        config_id,
        label_kind,
        slice_kind,
        slice_value,
        'tokens' as axis,
        0 as position
    from sizes

    union

    select
        config_id,
        label_kind,
        slice_kind,
        slice_value,
        axis,
        position
    from gains

),

accumulated as (

    select
        positions.*,
        sum(coalesce(gains.gain, 0)) over (
            partition by
                positions.config_id,
                positions.label_kind,
                positions.slice_kind,
                positions.slice_value,
                positions.axis
            order by positions.position
            rows unbounded preceding
        ) as found
    from positions
    left join gains
        on
            positions.config_id = gains.config_id
            and positions.label_kind = gains.label_kind
            and positions.slice_kind = gains.slice_kind
            and positions.slice_value = gains.slice_value
            and positions.axis = gains.axis
            and positions.position = gains.position

),

final as (

    select
        accumulated.config_id,
        configurations.strategy,
        configurations.retriever,
        configurations.embedding_model,
        configurations.delivery,
        accumulated.label_kind,
        accumulated.slice_kind,
        accumulated.slice_value,
        accumulated.axis,
        cast(accumulated.position as bigint) as position,
        -- Sums of thirds may end in different last bits.
        cast(round(accumulated.found / sizes.n_scored, 9) as double) as recall,
        sizes.n_scored,
        sizes.n_scored < {{ var('smallest_slice') }} as is_too_small
    from accumulated
    inner join configurations on accumulated.config_id = configurations.config_id
    inner join sizes
        on
            accumulated.config_id = sizes.config_id
            and accumulated.label_kind = sizes.label_kind
            and accumulated.slice_kind = sizes.slice_kind
            and accumulated.slice_value = sizes.slice_value

)

select * from final
