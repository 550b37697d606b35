{%- set relation = chunk_bakeoff.side_relation('search_failures_relation', 'search_failures') -%}

-- Every failed search with what is still missing before it can join the golden set. Rows whose
-- next_step is `copy` go into raw_questions and raw_golden_spans as they stand.
with failures as (

    {% if relation is none %}
    select
        cast(null as varchar) as failure_id,
        cast(null as varchar) as query,
        cast(null as varchar) as question_form,
        cast(null as varchar) as doc_id,
        cast(null as varchar) as passage
    where false
    {% else %}
    select * from {{ relation }}
    {% endif %}

),

documents as (

    select
        doc_id,
        text
    from {{ ref('stg_documents') }}

),

questions as (

    select
        question_id,
        question
    from {{ ref('stg_questions') }}

),

located as (

    select
        failures.*,
        documents.doc_id is not null as has_document,
        (length(documents.text) - length(replace(documents.text, failures.passage, '')))
        / nullif(length(failures.passage), 0) as occurrences
    from failures
    left join documents on failures.doc_id = documents.doc_id

),

final as (

    select
        located.failure_id as question_id,
        located.query as question,
        located.question_form,
        -- New questions join the holdout: nothing has been chosen with them.
        'holdout' as split,
        1 as span_index,
        located.doc_id,
        located.passage as quote,
        questions.question_id as same_question,
        case
            when questions.question_id is not null then 'drop: the golden set has this question'
            when located.doc_id is null or located.passage is null
                then
                    'find the passage that answers, and write doc_id and passage;'
                    || ' if there is none, add the question with answerable = false'
            when not located.has_document then 'doc_id is unknown: name a document of stg_documents'
            when located.occurrences = 0 then 'the passage is not in the document: copy it exactly'
            when
                located.occurrences > 1
                then 'the passage occurs more than once: quote more of it, or give its occurrence'
            else 'copy'
        end as next_step
    from located
    left join questions on lower(located.query) = lower(questions.question)

)

select * from final
order by question_id
