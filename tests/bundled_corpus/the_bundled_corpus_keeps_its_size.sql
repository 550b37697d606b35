{{ config(enabled=chunk_bakeoff.is_bundled_corpus()) }}

-- What the bundled corpus promises: enough documents, questions and kinds of questions to tell
-- strategies apart. One row per promise that is not kept.
with documents as (

    select * from {{ ref('raw_documents') }}

),

questions as (

    select * from {{ ref('raw_questions') }}

),

golden_spans as (

    select * from {{ ref('raw_golden_spans') }}

),

facts as (

    select fact_id from {{ ref('raw_facts') }}

),

several_spans as (

    select question_id
    from golden_spans
    group by question_id
    having count(*) > 1

),

several_documents as (

    select question_id
    from golden_spans
    group by question_id
    having count(distinct doc_id) > 1

),

-- Questions whose evidence stands in a document that not everybody may read.
of_the_second_group as (

    select distinct golden_spans.question_id
    from golden_spans
    inner join documents on golden_spans.doc_id = documents.doc_id
    inner join questions on golden_spans.question_id = questions.question_id
    where
        documents.acl != 'public'
        and {{ chunk_bakeoff.lists_overlap(
            chunk_bakeoff.list_of('questions.groups'), chunk_bakeoff.list_of('documents.acl')
        ) }}

),

counted as (

    select
        'documents' as promise,
        14 as at_least,
        count(*) as counted
    from documents
    union all
    select
        'words' as promise,
        18000 as at_least,
        sum({{ chunk_bakeoff.count_words('text') }}) as counted
    from documents
    union all
    select
        'languages' as promise,
        2 as at_least,
        count(distinct language) as counted
    from documents
    union all
    select
        'facts' as promise,
        150 as at_least,
        count(*) as counted
    from facts
    union all
    select
        'questions' as promise,
        100 as at_least,
        count(*) as counted
    from questions
    union all
    select
        'questions with several spans' as promise,
        12 as at_least,
        count(*) as counted
    from several_spans
    union all
    select
        'questions with spans in several documents' as promise,
        2 as at_least,
        count(*) as counted
    from several_documents
    union all
    select
        'unanswerable questions' as promise,
        10 as at_least,
        count(*) as counted
    from questions
    where answerable = 'false'
    union all
    select
        'questions that only the second group may answer' as promise,
        4 as at_least,
        count(*) as counted
    from of_the_second_group
    union all
    -- About a quarter: from 20 to 30 %.
    select
        'held-out questions among 100' as promise,
        20 as at_least,
        100 * count(*) filter (where split = 'holdout') / count(*) as counted
    from questions
    union all
    select
        'questions for tuning among 100' as promise,
        70 as at_least,
        100 * count(*) filter (where split = 'tune') / count(*) as counted
    from questions

)

select *
from counted
where counted < at_least
