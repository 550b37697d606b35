{%- do chunk_bakeoff.check_cutoffs_settings() -%}
with strategies as (

    select distinct strategy from {{ ref('int_chunks') }}

),

embedding_models as (

    select embedding_model from {{ ref('int_embedding_models') }}

),

retrievers as (
    {% for retriever in var('retrievers') %}
    select
        '{{ retriever }}' as retriever,
        {{ chunk_bakeoff.ranks_vectors(retriever) }} as ranks_vectors
    {{ 'union all' if not loop.last }}
    {%- endfor %}

),

pairs as (

    select
        retrievers.retriever,
        embedding_models.embedding_model
    from retrievers
    cross join embedding_models
    where retrievers.ranks_vectors

    union all

    select
        retriever,
        'none' as embedding_model
    from retrievers
    where not ranks_vectors

),

final as (

    select
        strategies.strategy
        || '/'
        || pairs.retriever
        || '/'
        || pairs.embedding_model
        || '/plain' as config_id,
        strategies.strategy,
        pairs.retriever,
        pairs.embedding_model,
        'plain' as delivery
    from strategies
    cross join pairs

)

select * from final
