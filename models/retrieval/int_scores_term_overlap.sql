{{ config(enabled=chunk_bakeoff.is_needed('term_overlap')) }}

with questions as (

    select
        question_number,
        question_id,
        unit,
        distinct_units,
        audience
    from {{ ref('int_question_units') }}

),

postings as (

    select
        unit,
        text_number
    from {{ ref('int_postings') }}

),

visible_chunks as (

    select
        audience,
        chunk_number,
        text_number
    from {{ ref('int_audience_chunks') }}

),

chunks as (

    select * from {{ ref('int_lexical_chunks') }}

),

-- Access comes first: only chunks of the asker's audience meet the question's units.
scored as materialized (

    select
        questions.question_number,
        visible_chunks.chunk_number,
        round(count(*) / any_value(questions.distinct_units), 6) as score
    from questions
    inner join postings on questions.unit = postings.unit
    inner join visible_chunks
        on
            questions.audience = visible_chunks.audience
            and postings.text_number = visible_chunks.text_number
    group by questions.question_number, visible_chunks.chunk_number

),

deepest as (
    {{ chunk_bakeoff.deepest_candidates('scored', 'chunks') }}
),

numbered_questions as (

    select distinct
        question_number,
        question_id
    from questions

),

final as (

    select
        chunks.strategy,
        'term_overlap' as retriever,
        'none' as embedding_model,
        numbered_questions.question_id,
        chunks.chunk_id,
        deepest.score
    from deepest
    inner join chunks on deepest.chunk_number = chunks.chunk_number
    inner join numbered_questions on deepest.question_number = numbered_questions.question_number
    where deepest.score > 0

)

select * from final
