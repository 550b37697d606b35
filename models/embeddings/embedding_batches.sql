-- An empty start: rows come from int_embedding_run and stay.
select
    cast(null as varchar) as run_id,
    cast(null as varchar) as embedding_model,
    cast(null as varchar) as model_revision,
    cast(null as bigint) as texts,
    cast(null as bigint) as failures,
    cast(null as bigint) as tokens,
    cast(null as double) as seconds,
    cast(null as bigint) as padded_tokens,
    cast(null as double) as price_per_million_tokens,
    cast(null as timestamp) as finished_at
where false
