-- A strategy model that returns nothing would be missing from every comparison in silence.
with documents as (

    select text from {{ ref('stg_documents') }}
    where not {{ chunk_bakeoff.is_blank('text') }}

),

strategy_models as (
    {% for entry in var('strategies') %}
    {%- set parts = entry.split('.') %}
    select
        '{{ entry }}' as strategy_model,
        count(*) as chunks
    from {{ ref(parts[0], parts[1]) if parts | length == 2 else ref('chunk_bakeoff', entry) }}
    {{ 'union all' if not loop.last }}
    {%- endfor %}

)

select strategy_model
from strategy_models
where
    chunks = 0
    and exists (select documents.text from documents)
