{{ config(enabled=chunk_bakeoff.is_needed('dense')) }}

with chunks as (

    select
        strategy,
        chunk_id,
        access_key,
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
        access_key
    from {{ ref('int_question_visibility') }}

),

depth as (

    select
        strategy,
        context_depth,
        unit_depth
    from {{ ref('int_retrieval_depth') }}

),

-- Units and askers are numbered, because pairs of them come by the million. A ranking is one
-- strategy under one model, an audience one access list under one model.
units as (

    select
        chunks.strategy,
        chunks.chunk_id,
        chunks.context_id,
        chunks.access_key,
        embeddings.embedding_model,
        embeddings.embedding,
        depth.context_depth,
        depth.unit_depth,
        cast(
            row_number()
                over (order by embeddings.embedding_model, chunks.strategy, chunks.chunk_id)
            as integer
        ) as unit_number,
        cast(
            dense_rank()
                over (order by embeddings.embedding_model, chunks.strategy)
            as integer
        ) as ranking_number,
        cast(
            dense_rank()
                over (order by embeddings.embedding_model, chunks.access_key)
            as integer
        ) as audience_number
    from chunks
    inner join depth on chunks.strategy = depth.strategy
    inner join embeddings
        on
            chunks.embedding_key = embeddings.embedding_key
            and embeddings.text_kind = 'passage'

),

audiences as (

    select distinct
        embedding_model,
        access_key,
        audience_number
    from units

),

memberships as (

    select
        visibility.question_id,
        audiences.embedding_model,
        {{ chunk_bakeoff.collect('audiences.audience_number') }} as audience_numbers
    from visibility
    inner join audiences on visibility.access_key = audiences.access_key
    group by visibility.question_id, audiences.embedding_model

),

askers as (

    select
        questions.question_id,
        memberships.audience_numbers,
        embeddings.embedding_model,
        embeddings.embedding,
        cast(
            row_number()
                over (order by embeddings.embedding_model, questions.question_id)
            as integer
        ) as asker_number
    from questions
    inner join embeddings
        on
            questions.embedding_key = embeddings.embedding_key
            and embeddings.text_kind = 'query'
    inner join memberships
        on
            questions.question_id = memberships.question_id
            and embeddings.embedding_model = memberships.embedding_model

),

-- Access comes first: what the asker may not see is filtered out before it is scored. The audience
-- also keeps models apart: with an equality in the condition the engine would choose a hash join,
-- which copies both vectors for every pair and takes twice as long.
scored as materialized (

    select
        units.unit_number,
        units.ranking_number,
        units.unit_depth,
        askers.asker_number,
        round(
            cast({{ chunk_bakeoff.similarity('units.embedding', 'askers.embedding') }} as double),
            6
        ) as score
    from units
    cross join askers
    where {{ chunk_bakeoff.list_holds('askers.audience_numbers', 'units.audience_number') }}

),

-- Most pairs are out of the question. This bound is cheap, and keeps every unit that can matter.
cutoffs as (

    select
        ranking_number,
        asker_number,
        {{ chunk_bakeoff.nth_largest('score', 'unit_depth') }} as lowest_score
    from scored
    group by ranking_number, asker_number

),

candidates as (

    select
        units.strategy,
        units.embedding_model,
        askers.question_id,
        units.context_id,
        units.chunk_id,
        units.context_depth,
        scored.score
    from scored
    inner join cutoffs
        on
            scored.ranking_number = cutoffs.ranking_number
            and scored.asker_number = cutoffs.asker_number
            and scored.score >= cutoffs.lowest_score
    inner join units on scored.unit_number = units.unit_number
    inner join askers on scored.asker_number = askers.asker_number

),

best_of_context as (

    select
        strategy,
        embedding_model,
        question_id,
        context_id,
        context_depth,
        max(score) as best_score
    from candidates
    group by strategy, embedding_model, question_id, context_id, context_depth

),

-- `rank` keeps all contexts that tie at the depth, so that the final order can break the tie.
deep_enough as (

    select
        strategy,
        embedding_model,
        question_id,
        context_id,
        best_score
    from best_of_context
    qualify
        rank() over (
            partition by strategy, embedding_model, question_id order by best_score desc
        ) <= context_depth

),

final as (

    select
        candidates.strategy,
        'dense' as retriever,
        candidates.embedding_model,
        candidates.question_id,
        candidates.chunk_id,
        candidates.score
    from candidates
    inner join deep_enough
        on
            candidates.strategy = deep_enough.strategy
            and candidates.embedding_model = deep_enough.embedding_model
            and candidates.question_id = deep_enough.question_id
            and candidates.context_id = deep_enough.context_id
            and candidates.score = deep_enough.best_score

)

select * from final
