-- A question is scored where it is answerable and all its evidence of a kind was found, in source
-- that the asker may read. Each of its pieces of evidence has exactly one outcome per
-- configuration.
with configurations as (

    select config_id from {{ ref('int_configurations') }}

),

answerable as (

    select question_id from {{ ref('stg_questions') }}
    where answerable

),

askers as (

    select
        question_id,
        tenant,
        groups
    from {{ ref('int_asker_groups') }}

),

regions as (

    select
        doc_id,
        region_start,
        region_end,
        tenant,
        acl,
        acl_deny
    from {{ ref('int_access_regions') }}

),

golden_spans as (

    select * from {{ ref('stg_golden_spans') }}

),

outcomes as (

    select * from {{ ref('fct_span_outcomes') }}

),

not_scored as (

    select distinct
        golden_spans.question_id,
        golden_spans.label_kind
    from golden_spans
    left join answerable on golden_spans.question_id = answerable.question_id
    left join askers on golden_spans.question_id = askers.question_id
    -- An anchor may name no document, and then no region either.
    left join regions
        on
            golden_spans.doc_id = regions.doc_id
            and coalesce(golden_spans.char_end > regions.region_start, true)
            and coalesce(golden_spans.char_start < regions.region_end, true)
    where
        answerable.question_id is null
        or golden_spans.status != 'ok'
        or askers.tenant != regions.tenant
        or not (
            {{ chunk_bakeoff.lists_overlap('askers.groups', "['*']") }}
            or (
                {{ chunk_bakeoff.lists_overlap('askers.groups', 'regions.acl') }}
                and not {{ chunk_bakeoff.lists_overlap('askers.groups', 'regions.acl_deny') }}
            )
        )

),

expected as (

    select
        configurations.config_id,
        golden_spans.label_kind,
        golden_spans.question_id,
        golden_spans.span_index
    from golden_spans
    left join not_scored
        on
            golden_spans.question_id = not_scored.question_id
            and golden_spans.label_kind = not_scored.label_kind
    cross join configurations
    where not_scored.question_id is null

),

counted as (

    select
        config_id,
        label_kind,
        question_id,
        span_index,
        count(*) as outcomes
    from outcomes
    group by config_id, label_kind, question_id, span_index

)

select
    coalesce(expected.config_id, counted.config_id) as config_id,
    coalesce(expected.label_kind, counted.label_kind) as label_kind,
    coalesce(expected.question_id, counted.question_id) as question_id,
    coalesce(expected.span_index, counted.span_index) as span_index,
    expected.question_id is not null as is_expected,
    coalesce(counted.outcomes, 0) as outcomes
from expected
full outer join counted
    on
        expected.config_id = counted.config_id
        and expected.label_kind = counted.label_kind
        and expected.question_id = counted.question_id
        and expected.span_index = counted.span_index
where
    expected.question_id is null
    or counted.outcomes is distinct from 1
