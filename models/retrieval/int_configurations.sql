{%- do chunk_bakeoff.check_cutoffs_settings() -%}
{%- do chunk_bakeoff.check_number_settings() -%}
with strategies as (

    select distinct strategy from {{ ref('int_chunks') }}

),

embedding_models as (

    select
        embedding_model,
        model_revision
    from {{ ref('int_embedding_models') }}

),

retrievers as (
    {% for retriever in var('retrievers') %}
    select
        '{{ retriever }}' as retriever,
        {{ chunk_bakeoff.ranks_vectors(retriever) }} as ranks_vectors,
        '{{ chunk_bakeoff.retriever_settings(retriever) | replace("'", "''") }}' as settings
    {{ 'union all' if not loop.last }}
    {%- endfor %}

),

deliveries as (
    {% for delivery in var('deliveries') %}
    select '{{ delivery }}' as delivery
    {{ 'union all' if not loop.last }}
    {%- endfor %}

),

pairs as (

    select
        retrievers.retriever,
        embedding_models.embedding_model,
        retrievers.settings,
        embedding_models.model_revision
    from retrievers
    cross join embedding_models
    where retrievers.ranks_vectors

    union all

    select
        retriever,
        'none' as embedding_model,
        settings,
        'none' as model_revision
    from retrievers
    where not ranks_vectors

),

final as (

    select
        strategies.strategy
        || '/' || pairs.retriever
        || '/' || pairs.embedding_model
        || '/' || deliveries.delivery as config_id,
        strategies.strategy,
        pairs.retriever,
        pairs.embedding_model,
        deliveries.delivery,
        '{{ chunk_bakeoff.count_unit() }}' as count_unit,
        pairs.settings as retriever_settings,
        {{ chunk_bakeoff.hash_of([
            "'index'", 'pairs.retriever', 'pairs.settings', 'pairs.embedding_model',
            'pairs.model_revision',
        ]) }} as index_revision
    from strategies
    cross join pairs
    cross join deliveries

)

select * from final
