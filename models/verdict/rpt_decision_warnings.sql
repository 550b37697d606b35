with decision as (

    select * from {{ ref('rpt_decision') }}

),

boards as (

    select
        config_id,
        label_kind,
        chunks,
        over_limit_chunks
    from {{ ref('rpt_strategy_leaderboard') }}

),

recommended as (

    select * from decision
    where role = 'recommended'

),

rankings as (

    select
        label_kind,
        retriever,
        embedding_model,
        delivery,
        count(*) as configurations,
        count(*) filter (
            where strategy != best_strategy and p_value_holm >= {{ var('significance_level') }}
        )
            as undecided,
        string_agg(strategy, ', ' order by value desc, strategy asc)
        filter (where strategy != best_strategy and p_value_holm >= {{ var('significance_level') }})
            as undecided_strategies,
        min(round(value, 9)) = max(round(value, 9)) as are_all_equal,
        any_value(best_strategy) as best_strategy,
        any_value(chosen_on) as chosen_on
    from decision
    group by label_kind, retriever, embedding_model, delivery

),

strategies as (

    select count(*) filter (where strategy = '{{ var("baseline_strategy") }}') as baselines
    from {{ ref('int_configurations') }}

),

warnings as (

    select
        label_kind,
        retriever,
        embedding_model,
        delivery,
        'tune_and_holdout_disagree' as warning,
        strategy
        || ' was chosen on tune, but on holdout it loses '
        || {{ chunk_bakeoff.number_text('holdout_loss') }}
        || ' against the best ('
        || holdout_questions
        || ' questions): the rule would not choose it there.' as sentence
    from recommended
    where not holdout_is_eligible

    union all

    select
        label_kind,
        retriever,
        embedding_model,
        delivery,
        'no_holdout' as warning,
        'No question is held out, so nothing confirms the choice:'
        || ' set split to holdout for about a quarter of them.'
            as sentence
    from recommended
    where holdout_questions is null

    union all

    select
        label_kind,
        retriever,
        embedding_model,
        delivery,
        'few_questions' as warning,
        'The decision rests on '
        || questions
        || ' questions; under 50 a difference of less than about '
        || {{ chunk_bakeoff.number_text('1.96 * sqrt(0.2 / questions)', 2) }}
        || ' cannot be seen when one question in five flips.' as sentence
    from recommended
    where questions < 50

    union all

    select
        rankings.label_kind,
        rankings.retriever,
        rankings.embedding_model,
        rankings.delivery,
        'cannot_tell_apart' as warning,
        recommended.questions
        || ' questions cannot tell '
        || rankings.undecided
        || ' of '
        || rankings.configurations
        - 1
        || ' strategies apart from '
        || rankings.best_strategy
        || ': '
        || rankings.undecided_strategies
        || '.' as sentence
    from rankings
    inner join recommended
        on
            rankings.label_kind = recommended.label_kind
            and rankings.retriever = recommended.retriever
            and rankings.embedding_model = recommended.embedding_model
            and rankings.delivery = recommended.delivery
    where rankings.undecided > 0

    union all

    select
        label_kind,
        retriever,
        embedding_model,
        delivery,
        'budget_separates_nothing' as warning,
        'All '
        || configurations
        || ' strategies have the same recall within {{ var("default_budget") }} '
        || '{{ chunk_bakeoff.count_unit() }}:'
        || ' set a smaller default_budget.'
            as sentence
    from rankings
    where are_all_equal and configurations > 1

    union all

    select
        label_kind,
        retriever,
        embedding_model,
        delivery,
        'many_variants' as warning,
        'The best was picked among '
        || configurations
        || ' strategies, so its recall is too rosy; p-values are corrected (Holm) over the '
        || configurations - 1 || ' comparisons with it.' as sentence
    from rankings
    where configurations > 5

    union all

    select
        recommended.label_kind,
        recommended.retriever,
        recommended.embedding_model,
        recommended.delivery,
        'gap_unresolved' as warning,
        'The gap between '
        || recommended.strategy
        || ' and '
        || recommended.best_strategy
        || ' ('
        || recommended.gained
        || ' against '
        || recommended.lost
        || ' questions) would need about '
        || recommended.questions_to_resolve
        || ' more questions for a power of 80 %.' as sentence
    from recommended
    where recommended.questions_to_resolve > 0

    union all

    select
        recommended.label_kind,
        recommended.retriever,
        recommended.embedding_model,
        recommended.delivery,
        'gap_unresolved' as warning,
        'The gap between '
        || recommended.strategy
        || ' and the next that differs, '
        || next.strategy
        || ' ('
        || next.lost
        || ' against '
        || next.gained
        || ' questions), would need about '
        || next.questions_to_resolve
        || ' more questions for a power of 80 %.' as sentence
    from recommended
    inner join decision as next
        on
            recommended.label_kind = next.label_kind
            and recommended.retriever = next.retriever
            and recommended.embedding_model = next.embedding_model
            and recommended.delivery = next.delivery
            and recommended.strategy = recommended.best_strategy
            and next.questions_to_resolve > 0
    qualify
        row_number() over (
            partition by
                recommended.label_kind,
                recommended.retriever,
                recommended.embedding_model,
                recommended.delivery
            order by round(next.value, 9) desc, next.config_id
        ) = 1

    union all

    select
        recommended.label_kind,
        recommended.retriever,
        recommended.embedding_model,
        recommended.delivery,
        'chunks_cut_off' as warning,
        recommended.embedding_model
        || ' reads only the beginning of '
        || boards.over_limit_chunks
        || ' of the '
        || boards.chunks
        || ' chunks of '
        || recommended.strategy
        || ': nothing can be found by what comes after it.' as sentence
    from recommended
    inner join boards
        on
            recommended.config_id = boards.config_id
            and recommended.label_kind = boards.label_kind
    where boards.over_limit_chunks > 0

    union all

    select
        recommended.label_kind,
        recommended.retriever,
        recommended.embedding_model,
        recommended.delivery,
        'no_baseline' as warning,
        'The baseline {{ var("baseline_strategy") }} is not among the strategies that ran,'
        || ' so nothing is compared with a baseline: set baseline_strategy.'
            as sentence
    from recommended
    cross join strategies
    where strategies.baselines = 0

),

final as (

    select
        label_kind,
        retriever,
        embedding_model,
        delivery,
        warning,
        sentence
    from warnings

)

select * from final
