with needed as (

    select * from {{ ref('int_needed_texts') }}

),

stored as (

    select
        embedding_model,
        model_revision,
        text_kind,
        embedding_key,
        embedded_at
    from {{ ref('embedding_store') }}

),

final as (

    select
        needed.embedding_model,
        needed.model_revision,
        needed.text_kind,
        needed.embedding_key,
        needed.text,
        needed.pool_start,
        needed.pool_end,
        needed.token_count,
        stored.embedded_at
    from needed
    left join stored
        on
            needed.embedding_model = stored.embedding_model
            and needed.model_revision = stored.model_revision
            and needed.text_kind = stored.text_kind
            and needed.embedding_key = stored.embedding_key

)

select * from final
