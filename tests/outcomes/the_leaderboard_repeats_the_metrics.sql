-- Every number of the leaderboard that is a metric is the one in fct_metrics.
{%- set columns = [
    {'name': 'recall_at_1', 'metric': 'recall', 'k': 1},
    {'name': 'recall_at_3', 'metric': 'recall', 'k': 3},
    {'name': 'recall_at_5', 'metric': 'recall', 'k': 5},
    {'name': 'recall_at_10', 'metric': 'recall', 'k': 10},
    {'name': 'recall_at_budget', 'metric': 'recall_at_budget', 'budget': var('default_budget')},
    {'name': 'context_tokens_at_5', 'metric': 'context_tokens', 'k': 5},
    {'name': 'repeated_share_at_5', 'metric': 'repeated_share', 'k': 5},
    {'name': 'mrr', 'metric': 'mrr', 'k': var('k_values') | max},
] %}

with leaderboard as (

    select * from {{ ref('rpt_strategy_leaderboard') }}

),

metrics as (

    select * from {{ ref('fct_metrics') }}
    where slice_kind = 'all'

),

shown as (
    {% for column in columns %}
    select
        config_id,
        label_kind,
        '{{ column.metric }}' as metric,
        cast({{ column.get('k', 'null') }} as integer) as k,
        cast({{ column.get('budget', 'null') }} as integer) as token_budget,
        {{ column.name }} as value,
        n_given,
        n_scored
    from leaderboard
    {{ 'union all' if not loop.last }}
    {%- endfor %}

)

select
    shown.config_id,
    shown.label_kind,
    shown.metric,
    shown.k,
    shown.token_budget,
    shown.value,
    metrics.value as expected,
    shown.n_given,
    metrics.n_given as expected_n_given,
    shown.n_scored,
    metrics.n_scored as expected_n_scored
from shown
left join metrics
    on
        shown.config_id = metrics.config_id
        and shown.label_kind = metrics.label_kind
        and shown.metric = metrics.metric
        and shown.k is not distinct from metrics.k
        and shown.token_budget is not distinct from metrics.token_budget
where
    shown.value is distinct from metrics.value
    -- A k that is not among the settings has no metric.
    or (metrics.metric is not null and shown.n_given != metrics.n_given)
    or (metrics.metric is not null and shown.n_scored != metrics.n_scored)
