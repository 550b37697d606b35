{{ config(enabled=chunk_bakeoff.needs_postings()) }}

with questions as (

    select
        question_id,
        question
    from {{ ref('stg_questions') }}

),

audiences as (

    select
        question_id,
        audience
    from {{ ref('int_audiences') }}

),

numbered as (

    select
        cast(row_number() over (order by questions.question_id) as integer) as question_number,
        questions.question_id,
        audiences.audience,
        {{ chunk_bakeoff.lexical_units('questions.question') }} as units
    from questions
    inner join audiences on questions.question_id = audiences.question_id

),

exploded as (

    select
        question_number,
        question_id,
        audience,
        {{ chunk_bakeoff.explode('units') }} as unit
    from numbered

),

final as (

    select
        question_number,
        question_id,
        audience,
        unit,
        cast(count(*) as integer) as occurrences,
        cast(count(*) over (partition by question_number) as integer) as distinct_units
    from exploded
    group by question_number, question_id, audience, unit

)

select * from final
