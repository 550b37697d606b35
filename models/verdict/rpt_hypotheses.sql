with hypotheses as (

    select * from {{ ref('int_hypotheses') }}

),

comparisons as (

    select * from {{ ref('fct_comparisons') }}
    where
        slice_kind = 'all' and (token_budget is null or token_budget = {{ var('default_budget') }})

),

configurations as (

    select
        config_id,
        strategy,
        retriever,
        embedding_model,
        delivery
    from {{ ref('int_configurations') }}

),

named as (

    select
        comparisons.*,
        a.strategy as strategy_a,
        b.strategy as strategy_b,
        a.retriever,
        a.embedding_model,
        a.delivery,
        case
            when comparisons.token_budget is null then 'recall_at_' || comparisons.k else
                'recall_at_budget'
        end as wide_metric
    from comparisons
    inner join configurations as a on comparisons.config_a = a.config_id
    inner join configurations as b on comparisons.config_b = b.config_id
    where
        a.retriever = b.retriever
        and a.embedding_model = b.embedding_model
        and a.delivery = b.delivery

),

final as (

    select
        hypotheses.hypothesis,
        hypotheses.metric,
        hypotheses.strategy_a,
        hypotheses.strategy_b,
        hypotheses.expected,
        named.label_kind,
        named.retriever,
        named.embedding_model,
        named.delivery,
        named.a_only,
        named.b_only,
        named.p_value,
        case
            when named.config_a is null then 'not run'
            when
                hypotheses.expected = 'equal' and named.p_value < {{ var('significance_level') }}
                then 'rejected'
            when named.p_value >= {{ var('significance_level') }} then 'undecided'
            when (hypotheses.expected = 'more') = (named.a_only > named.b_only) then 'supported'
            else 'rejected'
        end as verdict
    from hypotheses
    left join named
        on
            hypotheses.strategy_a = named.strategy_a
            and hypotheses.strategy_b = named.strategy_b
            and hypotheses.metric = named.wide_metric

)

select * from final
