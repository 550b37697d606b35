-- Whatever today's chunks, questions and compared units need is embedded, or stands among the
-- failures.
with texts as (

    {{ chunk_bakeoff.texts_of_today() }}

),

vectors as (

    select
        embedding_model,
        model_revision,
        text_kind,
        embedding_key
    from {{ ref('embeddings') }}

),

failures as (

    select
        embedding_model,
        model_revision,
        text_kind,
        embedding_key
    from {{ ref('embedding_failures') }}

),

accounted_for as (

    select * from vectors
    union
    select * from failures

)

select
    texts.embedding_model,
    texts.text_kind,
    texts.embedding_key,
    texts.text
from texts
left join accounted_for
    on
        texts.embedding_model = accounted_for.embedding_model
        and texts.model_revision = accounted_for.model_revision
        and texts.text_kind = accounted_for.text_kind
        and texts.embedding_key = accounted_for.embedding_key
where accounted_for.embedding_key is null
