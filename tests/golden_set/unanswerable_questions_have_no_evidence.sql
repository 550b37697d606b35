{{ config(store_failures=true) }}

-- A question is either unanswerable or has evidence; with both, the evidence would never be scored.
with questions as (

    select question_id from {{ ref('stg_questions') }}
    where not answerable

),

golden_spans as (

    select * from {{ ref('stg_golden_spans') }}

)

select
    golden_spans.question_id,
    golden_spans.label_kind,
    golden_spans.span_index,
    golden_spans.quote
from golden_spans
inner join questions on golden_spans.question_id = questions.question_id
