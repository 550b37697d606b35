with configurations as (

    select * from {{ ref('int_configurations') }}

),

-- A pair differs in the strategy alone, or in how the same strategy's chunks are ranked and
-- delivered. Pairs that differ in both could not be read.
final as (

    select
        a.config_id as config_a,
        b.config_id as config_b,
        a.strategy = b.strategy as is_same_strategy,
        a.strategy != b.strategy
        and '{{ var("baseline_strategy") }}' in (a.strategy, b.strategy) as is_with_baseline
    from configurations as a
    inner join configurations as b
        on
            a.config_id < b.config_id
            and (
                a.strategy = b.strategy
                or (
                    a.retriever = b.retriever
                    and a.embedding_model = b.embedding_model
                    and a.delivery = b.delivery
                )
            )

)

select * from final
