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

-- What the asker may see is a matter of access list and model together.
audiences as (

    select
        embedding_models.embedding_model,
        access_lists.access_key,
        cast(
            row_number() over (order by embedding_models.embedding_model, access_lists.access_key)
            as integer
        ) as audience_number
    from (select distinct access_key from chunks) as access_lists
    cross join (select distinct embedding_model from embeddings) as embedding_models

),

-- Units and askers are numbered, because pairs of them come by the million.
numbered_chunks as (

    select
        chunks.strategy,
        chunks.chunk_id,
        chunks.access_key,
        chunks.context_id,
        chunks.embedding_key,
        depth.context_depth,
        depth.unit_depth,
        cast(
            row_number() over (order by chunks.strategy, chunks.chunk_id) as integer
        ) as unit_number,
        cast(dense_rank() over (order by chunks.strategy) as integer) as strategy_number
    from chunks
    inner join depth on chunks.strategy = depth.strategy

),

units as (

    select
        numbered_chunks.unit_number,
        numbered_chunks.strategy_number,
        numbered_chunks.unit_depth,
        audiences.audience_number,
        embeddings.embedding
    from numbered_chunks
    inner join audiences on numbered_chunks.access_key = audiences.access_key
    inner join embeddings
        on
            numbered_chunks.embedding_key = embeddings.embedding_key
            and audiences.embedding_model = embeddings.embedding_model
            and embeddings.text_kind = 'passage'

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

-- An asker is a question under one model.
askers as (

    select
        questions.question_id,
        memberships.embedding_model,
        memberships.audience_numbers,
        embeddings.embedding,
        cast(
            row_number() over (order by memberships.embedding_model, questions.question_id)
            as integer
        ) as asker_number
    from questions
    inner join memberships on questions.question_id = memberships.question_id
    inner join embeddings
        on
            questions.embedding_key = embeddings.embedding_key
            and memberships.embedding_model = embeddings.embedding_model
            and embeddings.text_kind = 'query'

),

-- Access comes first: what the asker may not see gets no score. It is asked in `case`, because
-- with a condition on the pairs the engine copies both vectors of each, which takes as long again
-- as the scores.
scored as materialized (

    select
        units.unit_number,
        units.strategy_number,
        units.unit_depth,
        askers.asker_number,
        case
            when
                {{ chunk_bakeoff.list_holds('askers.audience_numbers', 'units.audience_number') }}
                then round(
                    cast(
                        {{ chunk_bakeoff.similarity('units.embedding', 'askers.embedding') }}
                        as double
                    ),
                    6
                )
        end as score
    from units
    cross join askers

),

-- Most pairs are out of the question. This bound is cheap, and keeps every unit that can matter.
cutoffs as (

    select
        strategy_number,
        asker_number,
        {{ chunk_bakeoff.nth_largest('score', 'unit_depth') }} as lowest_score
    from scored
    group by strategy_number, asker_number

),

candidates as (

    select
        numbered_chunks.strategy,
        askers.embedding_model,
        askers.question_id,
        numbered_chunks.context_id,
        numbered_chunks.chunk_id,
        numbered_chunks.context_depth,
        scored.score
    from scored
    inner join cutoffs
        on
            scored.strategy_number = cutoffs.strategy_number
            and scored.asker_number = cutoffs.asker_number
            and scored.score >= cutoffs.lowest_score
    inner join numbered_chunks on scored.unit_number = numbered_chunks.unit_number
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
