{%- set relation = chunk_bakeoff.side_relation('hypotheses_relation', 'hypotheses') -%}

{{ config(materialized='view') }}

{% if relation is none %}
select
    cast(null as varchar) as hypothesis,
    cast(null as varchar) as metric,
    cast(null as varchar) as strategy_a,
    cast(null as varchar) as strategy_b,
    cast(null as varchar) as expected
where false
{% else %}
select
    hypothesis,
    metric,
    strategy_a,
    strategy_b,
    expected
from {{ relation }}
{% endif %}
