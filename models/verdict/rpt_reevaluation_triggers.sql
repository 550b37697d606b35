with reference_run as (

    select run_id from {{ ref('int_reference_run') }}

),

runs as (

    select run_id from {{ ref('int_run') }}

),

document_history as (

    select * from {{ ref('fct_document_history') }}

),

metric_history as (

    select * from {{ ref('fct_metric_history') }}

),

outcome_history as (

    select * from {{ ref('fct_outcome_history') }}

),

shipped_outcomes as (

    select * from {{ ref('int_shipped_outcomes') }}

),

present_documents as (

    select document_history.*
    from document_history
    inner join runs on document_history.run_id = runs.run_id

),

earlier_documents as (

    select document_history.*
    from document_history
    inner join reference_run on document_history.run_id = reference_run.run_id

),

-- Text that both runs have, whatever its document is called.
kept_texts as (

    select distinct present_documents.content_sha256
    from present_documents
    inner join earlier_documents
        on present_documents.content_sha256 = earlier_documents.content_sha256

),

present_changed as (

    select present_documents.*
    from present_documents
    anti join kept_texts on present_documents.content_sha256 = kept_texts.content_sha256

),

earlier_changed as (

    select earlier_documents.*
    from earlier_documents
    anti join kept_texts on earlier_documents.content_sha256 = kept_texts.content_sha256

),

changed as (

    select
        sum(greatest(coalesce(present.characters, 0), coalesce(earlier.characters, 0)))
            as characters
    from present_changed as present
    full outer join earlier_changed as earlier on present.doc_id = earlier.doc_id

),

kept as (

    select sum(present_documents.characters) as characters
    from present_documents
    inner join kept_texts on present_documents.content_sha256 = kept_texts.content_sha256

),

-- Changed, new and deleted documents, as a share of all text of both runs.
drift as (

    select
        coalesce(changed.characters, 0)
        / nullif(coalesce(changed.characters, 0) + coalesce(kept.characters, 0), 0)
            as changed_share
    from changed
    cross join kept

),

new_types as (

    select distinct present_documents.doc_type
    from present_documents
    anti join earlier_documents on present_documents.doc_type = earlier_documents.doc_type

),

present_models as (

    select distinct
        metric_history.embedding_model,
        metric_history.model_revision
    from metric_history
    inner join runs on metric_history.run_id = runs.run_id

),

earlier_models as (

    select distinct
        metric_history.embedding_model,
        metric_history.model_revision
    from metric_history
    inner join reference_run on metric_history.run_id = reference_run.run_id

),

changed_models as (

    select present_models.embedding_model
    from present_models
    anti join earlier_models
        on
            present_models.embedding_model = earlier_models.embedding_model
            and present_models.model_revision is not distinct from earlier_models.model_revision

),

new_questions as (

    select distinct outcome_history.question_id
    from outcome_history
    inner join runs on outcome_history.run_id = runs.run_id
    anti join (
        select earlier_outcomes.question_id
        from outcome_history as earlier_outcomes
        inner join reference_run on earlier_outcomes.run_id = reference_run.run_id
    ) as earlier on outcome_history.question_id = earlier.question_id

),

new_failures as (

    select distinct question_id from shipped_outcomes
    where recall < accepted_recall

),

measured as (

    select
        'corpus_drift' as trigger,
        coalesce(changed_share, 0) as measure,
        {{ var('max_drift') }} as threshold,
        'of the text stands in documents that changed' as meaning,
        cast(null as varchar) as names
    from drift

    union all

    select
        'new_document_types' as trigger,
        count(*) as measure,
        0 as threshold,
        'document types that the reference run did not have' as meaning,
        string_agg(doc_type, ', ' order by doc_type) as names
    from new_types

    union all

    select
        'model_changed' as trigger,
        count(*) as measure,
        0 as threshold,
        'embedding models that are new or have another revision' as meaning,
        string_agg(embedding_model, ', ' order by embedding_model) as names
    from changed_models

    union all

    select
        'new_questions' as trigger,
        count(*) as measure,
        0 as threshold,
        'questions that the reference run did not have' as meaning,
        string_agg(question_id, ', ' order by question_id) as names
    from new_questions

    union all

    select
        'new_failures' as trigger,
        count(*) as measure,
        0 as threshold,
        'questions that what is shipped found more of in the reference run' as meaning,
        string_agg(question_id, ', ' order by question_id) as names
    from new_failures

),

final as (

    select
        measured.trigger,
        measured.meaning,
        cast(measured.measure as double) as measure,
        cast(measured.threshold as double) as threshold,
        measured.measure > measured.threshold as is_triggered,
        measured.names,
        reference_run.run_id as reference_run_id
    from measured
    cross join reference_run

)

select * from final
