with chunks as (

    select
        strategy,
        chunk_id,
        acl,
        context_id,
        embedding_key
    from {{ ref('int_chunks') }}

),

questions as (

    select
        question_id,
        {{ chunk_bakeoff.hash_of(["'text'", 'question']) }} as embedding_key
    from {{ ref('stg_questions') }}

),

embeddings as (

    select
        embedding_model,
        text_kind,
        embedding_key,
        embedding
    from {{ ref('embeddings') }}

),

visibility as (

    select
        question_id,
        acl,
        access_number
    from {{ ref('int_question_visibility') }}

),

access_lists as (

    select distinct
        acl,
        access_number
    from visibility

),

depth as (

    select
        strategy,
        depth
    from {{ ref('int_retrieval_depth') }}

),

-- Units, contexts and questions are numbered, because pairs of them come by the million.
units as (

    select
        chunks.strategy,
        chunks.chunk_id,
        access_lists.access_number,
        embeddings.embedding_model,
        embeddings.embedding,
        depth.depth,
        cast(
            row_number()
                over (order by embeddings.embedding_model, chunks.strategy, chunks.chunk_id)
            as integer
        ) as unit_number,
        cast(
            dense_rank()
                over (order by embeddings.embedding_model, chunks.strategy, chunks.context_id)
            as integer
        ) as context_number,
        cast(
            dense_rank()
                over (order by embeddings.embedding_model, chunks.strategy)
            as integer
        ) as ranking_number
    from chunks
    inner join depth on chunks.strategy = depth.strategy
    inner join access_lists on chunks.acl = access_lists.acl
    inner join embeddings
        on
            chunks.embedding_key = embeddings.embedding_key
            and embeddings.text_kind = 'passage'

),

visible as (

    select
        question_id,
        list(access_number) as access_numbers
    from visibility
    group by question_id

),

askers as (

    select
        questions.question_id,
        visible.access_numbers,
        embeddings.embedding_model,
        embeddings.embedding,
        cast(dense_rank() over (order by questions.question_id) as integer) as question_number
    from questions
    inner join visible on questions.question_id = visible.question_id
    inner join embeddings
        on
            questions.embedding_key = embeddings.embedding_key
            and embeddings.text_kind = 'query'

),

-- Access comes first: what the asker may not see is filtered out before it is scored. The cross
-- join is deliberate: a hash join would copy both vectors for every pair, which takes twice as
-- long as the scores themselves.
scored as materialized (

    select
        units.unit_number,
        units.context_number,
        units.ranking_number,
        units.depth,
        askers.question_number,
        round(
            cast({{ chunk_bakeoff.similarity('units.embedding', 'askers.embedding') }} as double),
            6
        ) as score
    from units
    cross join askers
    where
        units.embedding_model = askers.embedding_model
        and list_contains(askers.access_numbers, units.access_number)

),

best_of_context as (

    select
        ranking_number,
        depth,
        question_number,
        context_number,
        max(score) as best_score
    from scored
    group by ranking_number, depth, question_number, context_number

),

-- `rank` keeps all contexts that tie at the depth, so that the final order can break the tie.
deep_enough as (

    select
        question_number,
        context_number,
        best_score
    from best_of_context
    qualify
        rank() over (partition by ranking_number, question_number order by best_score desc) <= depth

),

final as (

    select
        units.strategy,
        'dense' as retriever,
        units.embedding_model,
        askers.question_id,
        units.chunk_id,
        scored.score
    from deep_enough
    inner join scored
        on
            deep_enough.question_number = scored.question_number
            and deep_enough.context_number = scored.context_number
            and deep_enough.best_score = scored.score
    inner join units on scored.unit_number = units.unit_number
    inner join askers
        on
            scored.question_number = askers.question_number
            and units.embedding_model = askers.embedding_model

)

select * from final
