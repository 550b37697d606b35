{{ config(store_failures=true) }}

-- A text that cannot be embedded is set aside with its reason, and the run goes on: the chunk or
-- question takes no part in any ranking, the unit in no comparison. That the test depends on the last of all models lets them
-- be built although it fails.
-- depends_on: {{ ref('rpt_decision_warnings') }}
with texts as (

    select
        embedding_model,
        model_revision,
        text_kind,
        embedding_key,
        text
    from {{ ref('int_texts') }}
    {%- if 'semantic' in var('strategies') or 'cluster_semantic' in var('strategies') %}
    union
    select
        embedding_model,
        model_revision,
        text_kind,
        embedding_key,
        text
    from {{ ref('int_unit_texts') }}
    {%- endif %}

),

vectors as (

    select
        embedding_model,
        text_kind,
        embedding_key
    from {{ ref('embeddings') }}

),

failures as (

    select * from {{ ref('embedding_failures') }}

)

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
