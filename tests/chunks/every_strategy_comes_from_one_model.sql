-- A variant is a strategy of its own: two models that give one name would be scored as one.
with strategy_models as (
    {% for entry in var('strategies') %}
    {%- set parts = entry.split('.') %}
    select distinct
        strategy,
        '{{ entry }}' as strategy_model
    from {{ ref(parts[0], parts[1]) if parts | length == 2 else ref('chunk_bakeoff', entry) }}
    {{ 'union all' if not loop.last }}
    {%- endfor %}

)

select
    strategy,
    {{ chunk_bakeoff.list_in_order('strategy_model', 'strategy_model') }} as strategy_models
from strategy_models
group by strategy
having count(*) > 1
