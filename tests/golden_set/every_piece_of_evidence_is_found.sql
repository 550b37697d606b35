{{ config(store_failures=true) }}

-- Evidence that is not found is not scored. The rows, with the most similar passage of the document
-- where there is one, say what to mend. That the test depends on the last of all models lets them
-- be built although it fails: they count such questions in `n_given` and not in `n_scored`.
-- depends_on: {{ ref('rpt_decision_warnings') }}
select
    question_id,
    label_kind,
    span_index,
    doc_id,
    status,
    quote,
    section,
    nearest_passage,
    nearest_start,
    nearest_distance,
    occurrence_count,
    occurrence_starts
from {{ ref('stg_golden_spans') }}
where status != 'ok'
