with candidates as (
    {% for retriever in var('retrievers') %}
    select
        strategy,
        retriever,
        embedding_model,
        question_id,
        chunk_id,
        score
    from {{ ref('chunk_bakeoff', 'int_scores_' ~ retriever) }}
    {{ 'union all' if not loop.last }}
    {%- endfor %}

),

chunks as (

    select
        strategy,
        chunk_id,
        doc_id,
        char_start,
        context_id,
        context_start,
        context_end,
        context_tokens
    from {{ ref('int_chunks') }}

),

configurations as (

    select * from {{ ref('int_configurations') }}

),

-- A context is delivered once, at the rank of its best unit.
best_units as (

    select
        configurations.config_id,
        configurations.strategy,
        configurations.retriever,
        configurations.embedding_model,
        configurations.delivery,
        candidates.question_id,
        chunks.context_id,
        chunks.chunk_id,
        chunks.doc_id,
        chunks.context_start,
        chunks.context_end,
        candidates.score,
        chunks.context_tokens
    from candidates
    inner join chunks
        on
            candidates.strategy = chunks.strategy
            and candidates.chunk_id = chunks.chunk_id
    inner join configurations
        on
            candidates.strategy = configurations.strategy
            and candidates.retriever = configurations.retriever
            and candidates.embedding_model = configurations.embedding_model
    qualify
        row_number() over (
            partition by configurations.config_id, candidates.question_id, chunks.context_id
            order by candidates.score desc, chunks.char_start asc, chunks.chunk_id asc
        ) = 1

),

ranked as (

    select
        *,
        row_number() over (
            partition by config_id, question_id
            order by score desc, doc_id asc, context_start asc, chunk_id asc
        ) as rank
    from best_units

),

accumulated as (

    select
        *,
        sum(context_tokens) over (
            partition by config_id, question_id order by rank rows unbounded preceding
        ) as cumulative_tokens
    from ranked

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
        cast(cumulative_tokens as bigint) as cumulative_tokens
    from accumulated
    where
        rank <= {{ var('k_values') | max }}
        or cumulative_tokens <= {{ var('token_budgets') | max }}

)

select * from final
