with pairs as (

    select
        config_a,
        config_b
    from {{ ref('int_config_pairs') }}

),

configurations as (

    select config_id from {{ ref('int_configurations') }}

),

cutoffs as (

    select cutoff_number from {{ ref('int_cutoffs') }}

),

found as (

    select * from {{ ref('int_found_questions') }}

),

scored as (

    select
        question_id,
        label_kind
    from {{ ref('int_question_labels') }}
    where standing = 'scored'

),

slices as (

    select * from {{ ref('int_question_slices') }}

),

slice_sizes as (

    select
        scored.label_kind,
        slices.slice_kind,
        slices.slice_value,
        count(*) as questions
    from scored
    inner join slices on scored.question_id = slices.question_id
    group by scored.label_kind, slices.slice_kind, slices.slice_value

),

found_by_one as (

    select
        found.config_id,
        found.label_kind,
        found.cutoff_number,
        slices.slice_kind,
        slices.slice_value,
        count(*) as found
    from found
    inner join slices on found.question_id = slices.question_id
    group by
        found.config_id,
        found.label_kind,
        found.cutoff_number,
        slices.slice_kind,
        slices.slice_value

),

-- A configuration that finds nothing in a slice counts too.
totals as (

    select
        configurations.config_id,
        slice_sizes.label_kind,
        cutoffs.cutoff_number,
        slice_sizes.slice_kind,
        slice_sizes.slice_value,
        slice_sizes.questions,
        coalesce(found_by_one.found, 0) as found
    from slice_sizes
    cross join configurations
    cross join cutoffs
    left join found_by_one
        on
            slice_sizes.label_kind = found_by_one.label_kind
            and slice_sizes.slice_kind = found_by_one.slice_kind
            and slice_sizes.slice_value = found_by_one.slice_value
            and configurations.config_id = found_by_one.config_id
            and cutoffs.cutoff_number = found_by_one.cutoff_number

),

found_by_both as (

    select
        pairs.config_a,
        pairs.config_b,
        a.label_kind,
        a.cutoff_number,
        slices.slice_kind,
        slices.slice_value,
        count(*) as in_both
    from found as a
    inner join found as b
        on
            a.question_id = b.question_id
            and a.label_kind = b.label_kind
            and a.cutoff_number = b.cutoff_number
    inner join pairs
        on
            a.config_id = pairs.config_a
            and b.config_id = pairs.config_b
    inner join slices on a.question_id = slices.question_id
    group by
        pairs.config_a,
        pairs.config_b,
        a.label_kind,
        a.cutoff_number,
        slices.slice_kind,
        slices.slice_value

),

final as (

    select
        pairs.config_a,
        pairs.config_b,
        a.label_kind,
        a.slice_kind,
        a.slice_value,
        a.cutoff_number,
        a.questions,
        a.found - coalesce(found_by_both.in_both, 0) as a_only,
        b.found - coalesce(found_by_both.in_both, 0) as b_only,
        coalesce(found_by_both.in_both, 0) as in_both,
        a.questions - a.found - b.found + coalesce(found_by_both.in_both, 0) as in_neither
    from pairs
    inner join totals as a on pairs.config_a = a.config_id
    inner join totals as b
        on
            pairs.config_b = b.config_id
            and a.label_kind = b.label_kind
            and a.slice_kind = b.slice_kind
            and a.slice_value = b.slice_value
            and a.cutoff_number = b.cutoff_number
    left join found_by_both
        on
            pairs.config_a = found_by_both.config_a
            and pairs.config_b = found_by_both.config_b
            and a.label_kind = found_by_both.label_kind
            and a.slice_kind = found_by_both.slice_kind
            and a.slice_value = found_by_both.slice_value
            and a.cutoff_number = found_by_both.cutoff_number

)

select * from final
