{%- set tokenizer = chunk_bakeoff.context_tokenizer() -%}

with chunks as (

    select distinct
        embed_text,
        embed_window,
        context_text
    from {{ ref('int_strategy_chunks') }}

),

questions as (

    select question from {{ ref('stg_questions') }}

),

embedding_models as (

    select
        embedding_model,
        query_prefix,
        passage_prefix
    from {{ ref('int_embedding_models') }}
    where embedding_model = encoded_by

),

passages as (

    select
        embedding_models.embedding_model as tokenizer,
        embedding_models.passage_prefix || chunks.embed_text as text
    from chunks
    cross join embedding_models

),

windows as (

    select
        embedding_models.embedding_model as tokenizer,
        embedding_models.passage_prefix || chunks.embed_window as text
    from chunks
    cross join embedding_models
    where chunks.embed_window is not null

),

queries as (

    select
        embedding_models.embedding_model as tokenizer,
        embedding_models.query_prefix || questions.question as text
    from questions
    cross join embedding_models

),

contexts as (

    select
        '{{ tokenizer }}' as tokenizer,
        context_text as text
    from chunks

),

-- What an index without vectors reads is counted as contexts are.
indexed as (

    select
        '{{ tokenizer }}' as tokenizer,
        embed_text as text
    from chunks

),

documents as (

    select
        '{{ tokenizer }}' as tokenizer,
        text
    from {{ ref('stg_documents') }}

),

{% if var('elements_path') %}
-- For the duplication that rpt_structure reports.
bodies as (

    select
        '{{ tokenizer }}' as tokenizer,
        body as text
    from {{ ref('int_strategy_chunks') }}

),

{% endif %}
final as (

    select * from passages
    union
    select * from windows
    union
    select * from queries
    union
    select * from contexts
    union
    select * from indexed
    union
    select * from documents
    {% if var('elements_path') %}
    union
    select * from bodies
    {% endif %}

)

select
    tokenizer,
    {{ chunk_bakeoff.hash_of(["'text'", 'text']) }} as text_key,
    text
from final
