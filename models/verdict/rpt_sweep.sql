{%- set sweep = var('sweep') -%}

with leaderboard as (

    select * from {{ ref('rpt_strategy_leaderboard') }}

),

metrics as (

    select * from {{ ref('fct_metrics') }}

),

comparisons as (

    select * from {{ ref('fct_comparisons') }}
    where token_budget = {{ var('default_budget') }}

),

-- Settings are chosen on the questions that strategies are chosen on.
bases as (

    select * from {{ ref('int_decision_slices') }}

),

recalls as (

    select
        metrics.config_id,
        metrics.label_kind,
        bases.chosen_on,
        max(metrics.value) filter (where metrics.metric = 'recall' and metrics.k = 5)
            as recall_at_5,
        max(metrics.value) filter (
            where
            metrics.metric = 'recall_at_budget'
            and metrics.token_budget = {{ var('default_budget') }}
        ) as recall_at_budget
    from metrics
    inner join bases
        on
            metrics.label_kind = bases.label_kind
            and metrics.slice_value = bases.chosen_on
            and metrics.slice_kind in ('all', 'split')
    group by metrics.config_id, metrics.label_kind, bases.chosen_on

),

-- The points of the sweep in their order, and the value that changes. Points of several series
-- are judged within theirs.
points as (
    {% if sweep is none %}
    select
        cast(null as integer) as position,
        cast(null as varchar) as strategy,
        cast(null as varchar) as series,
        cast(null as varchar) as setting
    where false
    {% else %}
    {%- for strategy, setting in sweep['points'].items() %}
    select
        {{ loop.index }} as position,
        '{{ strategy }}' as strategy,
        '{{ sweep.get('series', {}).get(strategy, sweep['name']) }}' as series,
        '{{ setting }}' as setting
    {{ 'union all' if not loop.last }}
    {%- endfor %}
    {% endif %}
),

swept as (

    select
        points.position,
        points.series,
        points.setting,
        recalls.chosen_on,
        recalls.recall_at_5,
        recalls.recall_at_budget,
        leaderboard.* exclude (recall_at_5, recall_at_budget)
    from leaderboard
    inner join points on leaderboard.strategy = points.strategy
    inner join recalls
        on
            leaderboard.config_id = recalls.config_id
            and leaderboard.label_kind = recalls.label_kind

),

best as (

    select
        series,
        label_kind,
        retriever,
        embedding_model,
        delivery,
        config_id as best_id,
        recall_at_budget as best_recall
    from swept
    qualify
        row_number() over (
            partition by series, label_kind, retriever, embedding_model, delivery
            order by
                round(recall_at_budget, 9) desc, round(repeated_share_at_5, 9), chunks, position asc
        ) = 1

),

judged as (

    select
        swept.*,
        best.best_recall - swept.recall_at_budget as loss,
        coalesce(comparisons.a_only, 0) as gained,
        coalesce(comparisons.b_only, 0) as lost,
        coalesce(comparisons.p_value, 1) as p_value
    from swept
    inner join best
        on
            swept.series = best.series
            and swept.label_kind = best.label_kind
            and swept.retriever = best.retriever
            and swept.embedding_model = best.embedding_model
            and swept.delivery = best.delivery
    left join comparisons
        on
            swept.config_id = comparisons.config_a
            and best.best_id = comparisons.config_b
            and swept.label_kind = comparisons.label_kind
            and swept.chosen_on = comparisons.slice_value
            and comparisons.slice_kind in ('all', 'split')

),

equal_quality as (

    select
        *,
        round(loss, 9) <= {{ var('max_loss') }}
        and not (lost > gained and p_value < {{ var('significance_level') }}) as is_equal
    from judged

),

-- Equal quality: least duplication, then the fewest tokens to embed.
final as (

    select
        '{{ sweep['name'] if sweep is not none }}' as sweep,
        series,
        position,
        setting,
        config_id,
        strategy,
        label_kind,
        chosen_on,
        chunks,
        embed_tokens,
        recall_at_5,
        recall_at_budget,
        context_tokens_at_5,
        repeated_share_at_5,
        loss,
        cast(gained as bigint) as gained,
        cast(lost as bigint) as lost,
        p_value,
        is_equal,
        row_number() over (
            partition by series, label_kind, retriever, embedding_model, delivery
            order by not is_equal, round(repeated_share_at_5, 9), embed_tokens, position
        ) = 1 as is_chosen
    from equal_quality

)

select * from final
