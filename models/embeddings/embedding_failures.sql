-- An empty start: rows come from int_embedding_run and stay.
select
    cast(null as varchar) as embedding_model,
    cast(null as varchar) as model_revision,
    cast(null as varchar) as text_kind,
    cast(null as varchar) as embedding_key,
    cast(null as varchar) as reason,
    cast(null as timestamp) as failed_at,
    cast(null as varchar) as run_id
where false
