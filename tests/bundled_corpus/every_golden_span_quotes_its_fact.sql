{{ config(enabled=chunk_bakeoff.is_bundled_corpus()) }}

-- Questions point at facts that were written before them.
with golden_spans as (

    select * from {{ ref('raw_golden_spans') }}

),

facts as (

    select * from {{ ref('raw_facts') }}

),

questions as (

    select question_id from {{ ref('raw_questions') }}

)

select
    golden_spans.question_id,
    golden_spans.span_index,
    golden_spans.fact_id,
    golden_spans.quote,
    facts.quote as fact_quote
from golden_spans
left join facts on golden_spans.fact_id = facts.fact_id
left join questions on golden_spans.question_id = questions.question_id
where
    questions.question_id is null
    or golden_spans.doc_id is distinct from facts.doc_id
    or golden_spans.quote is distinct from facts.quote
