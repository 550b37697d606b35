{%- set budget = var('default_budget') -%}
{%- set max_loss = var('max_loss') -%}
{%- set unit = chunk_bakeoff.count_unit() -%}
{%- set context_length = chunk_bakeoff.number_text('explained.mean_context_characters', 0) -%}

with candidates as (

    select * from {{ ref('int_decision_candidates') }}

),

winners as (

    select * from {{ ref('int_decision_winners') }}

),

configurations as (

    select
        config_id,
        strategy
    from {{ ref('int_configurations') }}

),

wide_contexts as (

    select * from {{ ref('int_wide_contexts') }}

),

holdout as (

    select * from candidates
    where slice_value = 'holdout'

),

chosen as (

    select
        candidates.*,
        winners.config_id as winner_id,
        winners.strategy as winner_strategy,
        winners.context_tokens as winner_tokens,
        winners.is_provisional,
        winners.questions_to_settle,
        winners.rival_id,
        winners.rival_loss_ci_high,
        best.strategy as best_strategy,
        wide_contexts.follows_sections,
        wide_contexts.mean_context_characters,
        winner_contexts.delivers_wider
        and winner_contexts.follows_sections as winner_delivers_sections,
        count(*) filter (where candidates.is_eligible) over (
            partition by
                candidates.label_kind,
                candidates.retriever,
                candidates.embedding_model,
                candidates.delivery
        ) as eligible,
        row_number() over (
            partition by
                candidates.label_kind,
                candidates.retriever,
                candidates.embedding_model,
                candidates.delivery
            order by
                wide_contexts.delivers_wider and wide_contexts.follows_sections desc,
                case
                    when wide_contexts.delivers_wider and wide_contexts.follows_sections
                        then round(candidates.value, 9)
                end desc,
                wide_contexts.follows_sections desc,
                wide_contexts.mean_context_characters desc,
                candidates.config_id asc
        ) as place_for_sections
    from candidates
    inner join winners
        on
            candidates.label_kind = winners.label_kind
            and candidates.slice_kind = winners.slice_kind
            and candidates.slice_value = winners.chosen_on
            and candidates.retriever = winners.retriever
            and candidates.embedding_model = winners.embedding_model
            and candidates.delivery = winners.delivery
    inner join configurations as best on candidates.best_id = best.config_id
    inner join wide_contexts on candidates.strategy = wide_contexts.strategy
    inner join wide_contexts as winner_contexts on winners.strategy = winner_contexts.strategy

),

roles as (

    select
        *,
        case
            when config_id = winner_id then 'recommended'
            when place_for_sections = 1 and not winner_delivers_sections then 'alternative'
            when is_eligible then 'eligible'
            else 'rejected'
        end as role,
        {{ chunk_bakeoff.questions_for_sign_test('gained', 'lost', 'questions') }}
            as questions_for_power
    from chosen

),

-- The number that decided, in words.
explained as (

    select
        *,
        case
            when config_id = winner_id
                then
                    case
                        when round(loss, 9) = 0
                            then
                                'no strategy is better, recall '
                                || {{ chunk_bakeoff.number_text('value') }}
                                || ' within {{ budget }} {{ unit }}'
                        else
                            'recall '
                            || {{ chunk_bakeoff.number_text('value') }}
                            || ' within {{ budget }} {{ unit }}, '
                            || {{ chunk_bakeoff.number_text('loss') }}
                            || ' below the best ('
                            || best_strategy
                            || ', '
                            || {{ chunk_bakeoff.number_text('best_value') }} || ')'
                    end
                    || '; of the ' || eligible || ' eligible it delivers the fewest {{ unit }}, '
                    || {{ chunk_bakeoff.number_text('context_tokens', 0) }} || ' a question'
            when loses_too_much
                then
                    'loses '
                    || {{ chunk_bakeoff.number_text('loss') }}
                    || ' against '
                    || best_strategy
                    || ' (recall '
                    || {{ chunk_bakeoff.number_text('value') }}
                    || ' against '
                    || {{ chunk_bakeoff.number_text('best_value') }}
                    || ' within {{ budget }} {{ unit }}), more than the {{ max_loss }} allowed;'
                    || ' it alone finds '
                    || gained
                    || ' and misses '
                    || lost
                    || ', p '
                    || {{ chunk_bakeoff.p_value_text('p_value_holm') }}
                    || ' corrected over ' || comparisons || ' comparisons'
            when is_significantly_worse
                then
                    'is significantly worse than '
                    || best_strategy
                    || ': it alone finds '
                    || gained
                    || ' and misses '
                    || lost
                    || ', p '
                    || {{ chunk_bakeoff.p_value_text('p_value_holm') }}
                    || ' corrected over '
                    || comparisons
                    || ' comparisons (recall '
                    || {{ chunk_bakeoff.number_text('value') }}
                    || ' against '
                    || {{ chunk_bakeoff.number_text('best_value') }}
                    || ' within {{ budget }} {{ unit }})'
            when round(context_tokens, 6) > round(winner_tokens, 6)
                then
                    'eligible, but delivers '
                    || {{ chunk_bakeoff.number_text('context_tokens', 1) }}
                    || ' {{ unit }} a question where '
                    || winner_strategy
                    || ' delivers '
                    || {{ chunk_bakeoff.number_text('winner_tokens', 1) }}
            else
                'eligible, delivers as few {{ unit }} as '
                || winner_strategy
                || ', but needs '
                || embed_tokens
                || ' tokens embedded'
        end as reason
    from roles

),

final as (

    select
        explained.label_kind,
        explained.retriever,
        explained.embedding_model,
        explained.delivery,
        explained.config_id,
        explained.strategy,
        explained.role,
        explained.role = 'recommended' and explained.is_provisional as is_provisional,
        case explained.role
            when 'recommended'
                then
                    'Ship ' || explained.strategy || ': ' || explained.reason || '.'
                    || case
                        when explained.winner_delivers_sections
                            then
                                ' It ranks small units and delivers what stands around them,'
                                || ' so it serves whole-section context too.'
                        else ''
                    end
                    || case
                        when explained.is_provisional
                            then
                                ' Provisional: another strategy may be better by up to '
                                || {{ chunk_bakeoff.number_text('explained.rival_loss_ci_high') }}
                                || coalesce(
                                    '; about '
                                    || cast(
                                        cast(
                                            explained.questions_to_settle as bigint
                                        ) as {{ dbt.type_string() }}
                                    )
                                    || ' more questions would settle it',
                                    ''
                                ) || '.'
                        else ''
                    end
            when
                'alternative'
                then
                    case
                        when explained.follows_sections then 'For whole-section context: '
                        else
                            'No strategy that ran follows sections; for the longest contexts ('
                            || {{ context_length }}
                            || ' characters): '
                    end
                    || explained.strategy
                    || '; '
                    || explained.reason
                    || '.'
            else explained.strategy || ': ' || explained.reason || '.'
        end as sentence,
        'No more than {{ max_loss }} below the best in recall within {{ budget }} {{ unit }}'
        || ' and not significantly worse '
        || '(sign test, Holm at {{ var("significance_level") }});'
        || ' of these the fewest {{ unit }} delivered, then the fewest to embed'
            as rule,
        explained.slice_value as chosen_on,
        explained.questions,
        explained.value,
        explained.best_strategy,
        explained.best_value,
        explained.loss,
        explained.loss_ci_low,
        explained.loss_ci_high,
        cast(explained.gained as bigint) as gained,
        cast(explained.lost as bigint) as lost,
        explained.p_value,
        explained.p_value_holm,
        cast(explained.comparisons as bigint) as comparisons,
        explained.is_eligible,
        explained.context_tokens,
        cast(explained.embed_tokens as bigint) as embed_tokens,
        -- Some engines leave nulls out of greatest.
        cast(
            case
                when explained.questions_for_power is not null
                    then greatest(0, explained.questions_for_power - explained.questions)
            end as bigint
        ) as questions_to_resolve,
        cast(
            case
                when explained.role = 'recommended' then explained.questions_to_settle
            end as bigint
        ) as questions_to_settle,
        holdout.questions as holdout_questions,
        holdout.value as holdout_value,
        holdout.loss as holdout_loss,
        holdout.is_eligible as holdout_is_eligible
    from explained
    left join holdout
        on
            explained.config_id = holdout.config_id
            and explained.label_kind = holdout.label_kind
            and explained.slice_value = 'tune'

)

select * from final
