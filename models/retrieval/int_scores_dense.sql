with chunks as (

    select strategy, chunk_id, acl, context_id, embedding_key from {{ ref('int_chunks') }}

),

questions as (

    select question_id, {{ chunk_bakeoff.hash_of(["'text'", 'question']) }} as embedding_key
    from {{ ref('stg_questions') }}

),

embeddings as (

    select embedding_model, text_kind, embedding_key, embedding from {{ ref('embeddings') }}

),

visibility as (

    select question_id, acl from {{ ref('int_question_visibility') }}

),

depth as (

    select strategy, depth from {{ ref('int_retrieval_depth') }}

),

units as (

    select
        chunks.strategy,
        chunks.chunk_id,
        chunks.acl,
        chunks.context_id,
        embeddings.embedding_model,
        embeddings.embedding
    from chunks
    inner join embeddings
        on
            chunks.embedding_key = embeddings.embedding_key
            and embeddings.text_kind = 'passage'

),

-- Access comes first: what the asker may not see is never scored.
askers as (

    select
        questions.question_id,
        visibility.acl,
        embeddings.embedding_model,
        embeddings.embedding
    from questions
    inner join visibility on questions.question_id = visibility.question_id
    inner join embeddings
        on
            questions.embedding_key = embeddings.embedding_key
            and embeddings.text_kind = 'query'

),

scored as (

    select
        units.strategy,
        units.embedding_model,
        askers.question_id,
        units.chunk_id,
        units.context_id,
        round(cast({{ chunk_bakeoff.similarity('units.embedding', 'askers.embedding') }} as double), 6) as score
    from units
    inner join askers
        on
            units.embedding_model = askers.embedding_model
            and units.acl = askers.acl

),

best_of_context as (

    select
        strategy,
        embedding_model,
        question_id,
        context_id,
        max(score) as best_score
    from scored
    group by strategy, embedding_model, question_id, context_id

),

-- `rank` keeps all contexts that tie at the depth, so that the final order can break the tie.
deep_enough as (

    select
        best_of_context.strategy,
        best_of_context.embedding_model,
        best_of_context.question_id,
        best_of_context.context_id,
        best_of_context.best_score
    from best_of_context
    inner join depth on best_of_context.strategy = depth.strategy
    qualify
        rank() over (
            partition by best_of_context.strategy, best_of_context.embedding_model, best_of_context.question_id
            order by best_of_context.best_score desc
        ) <= depth.depth

),

final as (

    select
        scored.strategy,
        'dense' as retriever,
        scored.embedding_model,
        scored.question_id,
        scored.chunk_id,
        scored.score
    from scored
    inner join deep_enough
        on
            scored.strategy = deep_enough.strategy
            and scored.embedding_model = deep_enough.embedding_model
            and scored.question_id = deep_enough.question_id
            and scored.context_id = deep_enough.context_id
            and scored.score = deep_enough.best_score

)

select * from final
