{{ config(materialized='incremental', incremental_strategy='append', full_refresh=false) }}

-- An empty start: rows come from `python -m chunk_bakeoff.replay` and stay.
select
    cast(null as varchar) as corpus_hash,
    cast(null as varchar) as strategy,
    cast(null as varchar) as settings,
    cast(null as varchar) as edit,
    cast(null as bigint) as documents,
    cast(null as bigint) as texts,
    cast(null as bigint) as texts_to_embed,
    cast(null as timestamp) as replayed_at
where false
