with chunks as (

    select strategy from {{ ref('int_chunks') }}

),

embedding_models as (

    select
        embedding_model,
        dimensions
    from {{ ref('int_embedding_models') }}

),

sizes as (

    select
        strategy,
        count(*) as vectors
    from chunks
    group by strategy

    union all

    select
        '(any)' as strategy,
        vectors
    from ({{ chunk_bakeoff.as_values([1000000, 10000000, 100000000], 'vectors') }}) as scales

),

final as (

    select
        sizes.strategy,
        embedding_models.embedding_model,
        embedding_models.dimensions,
        sizes.vectors,
        sizes.vectors * embedding_models.dimensions * 4 as float32_bytes,
        sizes.vectors * embedding_models.dimensions * 2 as float16_bytes,
        sizes.vectors * embedding_models.dimensions as int8_bytes,
        -- One bit per dimension, each vector filled up to whole bytes.
        cast(sizes.vectors * ceil(embedding_models.dimensions / 8) as bigint) as binary_bytes
    from sizes
    cross join embedding_models

)

select * from final
