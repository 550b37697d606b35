{{ config(store_failures=true) }}

-- A text that cannot be embedded is set aside with its reason, and the run goes on: the chunk or
-- question takes no part in any ranking, the unit in no comparison. That the test depends on the
-- last of all models lets them be built although it fails.
-- depends_on: {{ ref('rpt_decision_warnings') }}
with texts as (

    {{ chunk_bakeoff.texts_of_today() }}

),

vectors as (

    select
        embedding_model,
        text_kind,
        embedding_key,
        embedded_at
    from {{ ref('embeddings') }}

),

failures as (

    select * from {{ ref('embedding_failures') }}

),

truncations as (

    select
        embedding_model,
        encoded_by,
        dimensions
    from {{ ref('int_embedding_models') }}
    where embedding_model != encoded_by

),

set_aside as (

    select
        texts.embedding_model,
        texts.text_kind,
        texts.embedding_key,
        texts.text,
        failures.reason,
        failures.failed_at
    from texts
    inner join failures
        on
            texts.embedding_model = failures.embedding_model
            and texts.model_revision = failures.model_revision
            and texts.text_kind = failures.text_kind
            and texts.embedding_key = failures.embedding_key
    left join vectors
        on
            texts.embedding_model = vectors.embedding_model
            and texts.text_kind = vectors.text_kind
            and texts.embedding_key = vectors.embedding_key
    where vectors.embedding_key is null
    qualify
        row_number() over (
            partition by texts.embedding_model, texts.text_kind, texts.embedding_key
            order by failures.failed_at desc
        ) = 1

),

-- Nothing is left of a vector whose first dimensions are all zero.
cut_to_nothing as (

    select
        truncations.embedding_model,
        texts.text_kind,
        texts.embedding_key,
        texts.text,
        'the first ' || truncations.dimensions || ' dimensions are zero' as reason,
        whole.embedded_at as failed_at
    from texts
    inner join truncations on texts.embedding_model = truncations.encoded_by
    inner join vectors as whole
        on
            texts.embedding_model = whole.embedding_model
            and texts.text_kind = whole.text_kind
            and texts.embedding_key = whole.embedding_key
    left join vectors as shortened
        on
            truncations.embedding_model = shortened.embedding_model
            and texts.text_kind = shortened.text_kind
            and texts.embedding_key = shortened.embedding_key
    where shortened.embedding_key is null

)

select * from set_aside
union all
select * from cut_to_nothing
