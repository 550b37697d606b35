{{ config(severity='warn', store_failures=true) }}

-- An anchor counts as found wherever a context contains it. One that occurs more than once gives
-- credit to contexts without the answer: give the exact span instead, or a longer anchor.
select
    question_id,
    span_index,
    quote as anchor,
    occurrence_count
from {{ ref('stg_golden_spans') }}
where
    label_kind = 'anchor'
    and occurrence_count > 1
