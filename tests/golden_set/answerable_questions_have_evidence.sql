{{ config(severity='warn', store_failures=true) }}

-- A question without evidence cannot be scored: give its passage, or mark it as unanswerable.
with questions as (

    select
        question_id,
        question
    from {{ ref('stg_questions') }}
    where answerable

),

golden_spans as (

    select question_id from {{ ref('stg_golden_spans') }}

)

select
    questions.question_id,
    questions.question
from questions
left join golden_spans on questions.question_id = golden_spans.question_id
where golden_spans.question_id is null
