-- An empty start: rows come from int_embedding_run, batch by batch, and stay.
select
    cast(null as varchar) as embedding_model,
    cast(null as varchar) as model_revision,
    cast(null as varchar) as text_kind,
    cast(null as varchar) as embedding_key,
    cast(null as float[]) as embedding,
    cast(null as bigint) as dimensions,
    cast(null as boolean) as is_normalized,
    cast(null as bigint) as token_count,
    cast(null as boolean) as truncated,
    cast(null as timestamp) as embedded_at,
    cast(null as varchar) as run_id
where false
