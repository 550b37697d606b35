with configurations as (

    select
        config_id,
        strategy,
        retriever,
        embedding_model,
        delivery,
        count_unit,
        index_revision
    from {{ ref('int_configurations') }}

),

rankings as (

    select * from {{ ref('int_rankings') }}

),

plain as (

    select
        configurations.config_id,
        configurations.strategy,
        configurations.retriever,
        configurations.embedding_model,
        configurations.delivery,
        rankings.question_id,
        rankings.rank,
        rankings.context_id,
        rankings.chunk_id,
        rankings.doc_id,
        rankings.context_start,
        rankings.context_end,
        rankings.score,
        rankings.context_tokens,
        sum(rankings.context_tokens) over (
            partition by configurations.config_id, rankings.question_id
            order by rankings.rank
            rows unbounded preceding
        ) as cumulative_tokens,
        configurations.count_unit,
        configurations.index_revision,
        rankings.embedding_key,
        rankings.access_key
    from rankings
    inner join configurations
        on
            rankings.strategy = configurations.strategy
            and rankings.retriever = configurations.retriever
            and rankings.embedding_model = configurations.embedding_model
    where configurations.delivery = 'plain'

),

delivered as (

    select * from plain
    {% if chunk_bakeoff.shaped_deliveries() %}
    union all

    select
        configurations.config_id,
        configurations.strategy,
        configurations.retriever,
        configurations.embedding_model,
        configurations.delivery,
        shaped.question_id,
        shaped.rank,
        shaped.context_id,
        shaped.chunk_id,
        shaped.doc_id,
        shaped.context_start,
        shaped.context_end,
        shaped.score,
        shaped.context_tokens,
        shaped.cumulative_tokens,
        configurations.count_unit,
        configurations.index_revision,
        shaped.embedding_key,
        shaped.access_key
    from {{ ref('int_shaped_contexts') }} as shaped
    inner join configurations on shaped.config_id = configurations.config_id
    {% endif %}
),

final as (

    select
        config_id,
        strategy,
        retriever,
        embedding_model,
        delivery,
        question_id,
        cast(rank as integer) as rank,
        context_id,
        chunk_id,
        doc_id,
        context_start,
        context_end,
        score,
        context_tokens,
        cast(cumulative_tokens as bigint) as cumulative_tokens,
        count_unit,
        {{ chunk_bakeoff.hash_of([
            "'index_entry'", 'chunk_id', 'embedding_key', 'index_revision', 'access_key',
        ]) }} as index_entry_id
    from delivered
    where
        rank <= {{ var('k_values') | max }}
        or cumulative_tokens <= {{ var('token_budgets') | max }}

)

select * from final
