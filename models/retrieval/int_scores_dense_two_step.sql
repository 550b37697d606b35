{{ config(enabled=chunk_bakeoff.is_needed('dense_two_step')) }}

{%- set two_step = chunk_bakeoff.two_step() %}

with chunks as (

    select
        strategy,
        chunk_id,
        access_key,
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

shortened as (

    select
        embedding_model,
        text_kind,
        embedding_key,
        {{ chunk_bakeoff.first_dimensions('embedding', two_step.dimensions) }} as embedding
    from embeddings

),

units as (

    select
        chunks.strategy,
        chunks.chunk_id,
        chunks.access_key,
        chunks.embedding_key,
        shortened.embedding_model,
        shortened.embedding,
        {{ chunk_bakeoff.vector_length('shortened.embedding') }} as norm
    from chunks
    inner join shortened
        on
            chunks.embedding_key = shortened.embedding_key
            and shortened.text_kind = 'passage'

),

askers as (

    select
        questions.question_id,
        questions.embedding_key,
        visibility.access_key,
        shortened.embedding_model,
        shortened.embedding
    from questions
    inner join visibility on questions.question_id = visibility.question_id
    inner join shortened
        on
            questions.embedding_key = shortened.embedding_key
            and shortened.text_kind = 'query'

),

-- First step: few dimensions of everything that the asker may see. The length of the question's
-- vector does not change the order.
shortlist as (

    select
        units.strategy,
        units.chunk_id,
        units.embedding_key as unit_key,
        askers.embedding_model,
        askers.question_id,
        askers.embedding_key as question_key,
        {{ chunk_bakeoff.inner_product('units.embedding', 'askers.embedding') }}
        / nullif(units.norm, 0) as score
    from units
    inner join askers
        on
            units.embedding_model = askers.embedding_model
            and units.access_key = askers.access_key
    qualify
        row_number() over (
            partition by units.strategy, askers.embedding_model, askers.question_id
            order by score desc nulls last, units.chunk_id asc
        ) <= {{ two_step.shortlist }}

),

-- Second step: all dimensions of the shortlist.
final as (

    select
        shortlist.strategy,
        'dense_two_step' as retriever,
        shortlist.embedding_model,
        shortlist.question_id,
        shortlist.chunk_id,
        round(
            cast({{ chunk_bakeoff.similarity('units.embedding', 'askers.embedding') }} as double),
            6
        ) as score
    from shortlist
    inner join embeddings as units
        on
            shortlist.embedding_model = units.embedding_model
            and shortlist.unit_key = units.embedding_key
            and units.text_kind = 'passage'
    inner join embeddings as askers
        on
            shortlist.embedding_model = askers.embedding_model
            and shortlist.question_key = askers.embedding_key
            and askers.text_kind = 'query'

)

select * from final
