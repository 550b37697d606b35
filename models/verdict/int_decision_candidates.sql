with primary_cutoff as (

    select cutoff_number from {{ ref('int_cutoffs') }}
    where is_primary

),

metrics as (

    select * from {{ ref('fct_metrics') }}
    where
        slice_kind in ('all', 'split')
        and token_budget = {{ var('default_budget') }}

),

best as (

    select best.*
    from {{ ref('int_best_configs') }} as best
    inner join primary_cutoff on best.cutoff_number = primary_cutoff.cutoff_number

),

families as (

    select families.*
    from {{ ref('int_comparison_families') }} as families
    inner join primary_cutoff on families.cutoff_number = primary_cutoff.cutoff_number
    where families.family = 'best'

),

counts as (

    select counts.*
    from {{ ref('int_paired_counts') }} as counts
    inner join primary_cutoff on counts.cutoff_number = primary_cutoff.cutoff_number

),

differences as (

    select * from {{ ref('int_primary_differences') }}

),

leaderboard as (

    select distinct
        config_id,
        embed_tokens
    from {{ ref('rpt_strategy_leaderboard') }}

),

compared as (

    select
        families.config_a,
        families.config_b,
        families.label_kind,
        families.slice_kind,
        families.slice_value,
        families.p_value,
        families.p_value_holm,
        families.family_size,
        counts.a_only,
        counts.b_only
    from families
    inner join counts
        on
            families.config_a = counts.config_a
            and families.config_b = counts.config_b
            and families.label_kind = counts.label_kind
            and families.slice_kind = counts.slice_kind
            and families.slice_value = counts.slice_value

),

against_best as (

    select
        config_a as config_id,
        label_kind,
        slice_kind,
        slice_value,
        config_b as best_id,
        a_only as gained,
        b_only as lost,
        p_value,
        p_value_holm,
        family_size
    from compared

    union all

    select
        config_b as config_id,
        label_kind,
        slice_kind,
        slice_value,
        config_a as best_id,
        b_only as gained,
        a_only as lost,
        p_value,
        p_value_holm,
        family_size
    from compared

),

recall as (

    select * from metrics
    where metric = 'recall_at_budget'

),

tokens as (

    select
        config_id,
        label_kind,
        slice_kind,
        slice_value,
        value as context_tokens
    from metrics
    where metric = 'context_tokens_at_budget'

),

candidates as (

    select
        recall.config_id,
        recall.strategy,
        recall.retriever,
        recall.embedding_model,
        recall.delivery,
        recall.label_kind,
        recall.slice_kind,
        recall.slice_value,
        recall.n_scored as questions,
        recall.value,
        best.config_id as best_id,
        best.value as best_value,
        best.value - recall.value as loss,
        coalesce(differences.loss_ci_low, 0) as loss_ci_low,
        coalesce(differences.loss_ci_high, 0) as loss_ci_high,
        coalesce(against_best.gained, 0) as gained,
        coalesce(against_best.lost, 0) as lost,
        coalesce(against_best.p_value, 1) as p_value,
        coalesce(against_best.p_value_holm, 1) as p_value_holm,
        coalesce(against_best.family_size, 0) as comparisons,
        tokens.context_tokens,
        leaderboard.embed_tokens
    from recall
    inner join best
        on
            recall.label_kind = best.label_kind
            and recall.slice_kind = best.slice_kind
            and recall.slice_value = best.slice_value
            and recall.retriever = best.retriever
            and recall.embedding_model = best.embedding_model
            and recall.delivery = best.delivery
    inner join tokens
        on
            recall.config_id = tokens.config_id
            and recall.label_kind = tokens.label_kind
            and recall.slice_kind = tokens.slice_kind
            and recall.slice_value = tokens.slice_value
    inner join leaderboard on recall.config_id = leaderboard.config_id
    left join against_best
        on
            recall.config_id = against_best.config_id
            and recall.label_kind = against_best.label_kind
            and recall.slice_kind = against_best.slice_kind
            and recall.slice_value = against_best.slice_value
            and best.config_id = against_best.best_id
    left join differences
        on
            recall.config_id = differences.config_id
            and recall.label_kind = differences.label_kind
            and recall.slice_kind = differences.slice_kind
            and recall.slice_value = differences.slice_value
            and best.config_id = differences.rival_id

),

judged as (

    select
        *,
        -- Rounded, so that a loss of exactly the limit is not decided by a last bit.
        round(loss, 9) > {{ var('max_loss') }} as loses_too_much,
        lost > gained and p_value_holm < {{ var('significance_level') }} as is_significantly_worse
    from candidates

),

final as (

    select
        *,
        not loses_too_much and not is_significantly_worse as is_eligible,
        row_number() over (
            partition by label_kind, slice_kind, slice_value, retriever, embedding_model, delivery
            order by
                loses_too_much or is_significantly_worse,
                round(context_tokens, 6),
                embed_tokens,
                config_id
        ) as place
    from judged

)

select * from final
