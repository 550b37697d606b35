with candidates as (

    select * from {{ ref('int_decision_candidates') }}

),

chosen_slices as (

    select * from {{ ref('int_decision_slices') }}

),

differences as (

    select * from {{ ref('int_primary_differences') }}

),

winners as (

    select candidates.*
    from candidates
    inner join chosen_slices
        on
            candidates.label_kind = chosen_slices.label_kind
            and candidates.slice_value = chosen_slices.chosen_on
    where candidates.place = 1

),

-- The rival of whom least can be excluded: it may be better by the most.
rivals as (

    select
        winners.config_id,
        winners.label_kind,
        differences.rival_id,
        differences.loss,
        differences.loss_ci_high,
        differences.spread,
        differences.questions
    from winners
    inner join differences
        on
            winners.config_id = differences.config_id
            and winners.label_kind = differences.label_kind
            and winners.slice_kind = differences.slice_kind
            and winners.slice_value = differences.slice_value
    qualify
        row_number() over (
            partition by winners.config_id, winners.label_kind
            order by round(differences.loss_ci_high, 9) desc, differences.rival_id
        ) = 1

),

final as (

    select
        winners.label_kind,
        winners.retriever,
        winners.embedding_model,
        winners.delivery,
        winners.slice_kind,
        winners.slice_value as chosen_on,
        winners.config_id,
        winners.strategy,
        winners.context_tokens,
        rivals.rival_id,
        rivals.loss as rival_loss,
        rivals.loss_ci_high as rival_loss_ci_high,
        coalesce(rivals.loss_ci_high > {{ var('max_loss') }}, false) as is_provisional,
        -- With so many questions the interval would end at the limit, were the loss as it is.
        case
            when rivals.loss_ci_high <= {{ var('max_loss') }} then 0
            when rivals.loss < {{ var('max_loss') }}
                then
                    greatest(
                        1,
                        ceil(
                            power(
                                1.959963984540054
                                * rivals.spread
                                / ({{ var('max_loss') }} - rivals.loss),
                                2
                            )
                        )
                        - rivals.questions
                    )
        end as questions_to_settle
    from winners
    left join rivals
        on
            winners.config_id = rivals.config_id
            and winners.label_kind = rivals.label_kind

)

select * from final
