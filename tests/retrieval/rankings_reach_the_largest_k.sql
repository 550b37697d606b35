-- A ranking of vectors ends before the largest k only where the asker may see no more contexts.
with configurations as (

    select * from {{ ref('int_configurations') }}
    where embedding_model != 'none'

),

chunks as (

    select
        strategy,
        doc_id,
        context_id,
        embedding_key
    from {{ ref('int_chunks') }}

),

vectors as (

    select
        embedding_model,
        text_kind,
        embedding_key
    from {{ ref('embeddings') }}

),

questions as (

    select
        question_id,
        groups,
        {{ chunk_bakeoff.hash_of(["'text'", 'question']) }} as embedding_key
    from {{ ref('stg_questions') }}

),

documents as (

    select
        doc_id,
        acl
    from {{ ref('stg_documents') }}

),

retrievals as (

    select
        config_id,
        question_id,
        count(*) as delivered
    from {{ ref('fct_retrievals') }}
    group by config_id, question_id

),

rankable as (

    select
        configurations.config_id,
        configurations.embedding_model,
        chunks.doc_id,
        count(distinct chunks.context_id) as contexts
    from configurations
    inner join chunks on configurations.strategy = chunks.strategy
    inner join vectors
        on
            configurations.embedding_model = vectors.embedding_model
            and chunks.embedding_key = vectors.embedding_key
            and vectors.text_kind = 'passage'
    group by configurations.config_id, configurations.embedding_model, chunks.doc_id

),

visible as (

    select
        rankable.config_id,
        questions.question_id,
        sum(rankable.contexts) as contexts
    from rankable
    inner join documents on rankable.doc_id = documents.doc_id
    inner join questions
        on
            {{ chunk_bakeoff.lists_overlap('questions.groups', 'documents.acl') }}
            or {{ chunk_bakeoff.lists_overlap('questions.groups', "['*']") }}
    inner join vectors
        on
            rankable.embedding_model = vectors.embedding_model
            and questions.embedding_key = vectors.embedding_key
            and vectors.text_kind = 'query'
    group by rankable.config_id, questions.question_id

)

select
    visible.config_id,
    visible.question_id,
    visible.contexts as visible_contexts,
    coalesce(retrievals.delivered, 0) as delivered
from visible
left join retrievals
    on
        visible.config_id = retrievals.config_id
        and visible.question_id = retrievals.question_id
where coalesce(retrievals.delivered, 0) < least(visible.contexts, {{ var('k_values') | max }})
