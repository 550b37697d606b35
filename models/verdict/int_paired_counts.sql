with configurations as (

    select config_id from {{ ref('int_configurations') }}

),

cutoffs as (

    select cutoff_number from {{ ref('int_cutoffs') }}

),

-- Millions of pairs of found questions are counted below, so that everything is numbered first.
pairs as (

    select
        config_a,
        config_b,
        row_number() over (order by config_a, config_b) as pair_number
    from {{ ref('int_config_pairs') }}

),

scored as (

    select
        question_id,
        label_kind,
        row_number() over (order by label_kind, question_id) as question_number
    from {{ ref('int_question_labels') }}
    where standing = 'scored'

),

slices as (

    select * from {{ ref('int_question_slices') }}

),

members as (

    select
        scored.question_number,
        scored.label_kind,
        slices.slice_kind,
        slices.slice_value,
        dense_rank() over (
            order by scored.label_kind, slices.slice_kind, slices.slice_value
        ) as slice_number
    from scored
    inner join slices on scored.question_id = slices.question_id

),

found as (

    select
        found.config_id,
        found.cutoff_number,
        scored.question_number
    from {{ ref('int_found_questions') }} as found
    inner join scored
        on
            found.question_id = scored.question_id
            and found.label_kind = scored.label_kind

),

slice_sizes as (

    select
        slice_number,
        label_kind,
        slice_kind,
        slice_value,
        count(*) as questions
    from members
    group by slice_number, label_kind, slice_kind, slice_value

),

found_by_one as (

    select
        found.config_id,
        found.cutoff_number,
        members.slice_number,
        count(*) as found
    from found
    inner join members on found.question_number = members.question_number
    group by found.config_id, found.cutoff_number, members.slice_number

),

-- A configuration that finds nothing in a slice counts too.
totals as (

    select
        configurations.config_id,
        cutoffs.cutoff_number,
        slice_sizes.slice_number,
        coalesce(found_by_one.found, 0) as found
    from slice_sizes
    cross join configurations
    cross join cutoffs
    left join found_by_one
        on
            slice_sizes.slice_number = found_by_one.slice_number
            and configurations.config_id = found_by_one.config_id
            and cutoffs.cutoff_number = found_by_one.cutoff_number

),

found_twice as (

    select
        pairs.pair_number,
        a.cutoff_number,
        a.question_number
    from found as a
    inner join pairs on a.config_id = pairs.config_a
    inner join found as b
        on
            pairs.config_b = b.config_id
            and a.question_number = b.question_number
            and a.cutoff_number = b.cutoff_number

),

found_by_both as (

    select
        found_twice.pair_number,
        found_twice.cutoff_number,
        members.slice_number,
        count(*) as in_both
    from found_twice
    inner join members on found_twice.question_number = members.question_number
    group by found_twice.pair_number, found_twice.cutoff_number, members.slice_number

),

final as (

    select
        pairs.config_a,
        pairs.config_b,
        slice_sizes.label_kind,
        slice_sizes.slice_kind,
        slice_sizes.slice_value,
        a.cutoff_number,
        slice_sizes.questions,
        a.found - coalesce(found_by_both.in_both, 0) as a_only,
        b.found - coalesce(found_by_both.in_both, 0) as b_only,
        coalesce(found_by_both.in_both, 0) as in_both,
        slice_sizes.questions - a.found - b.found + coalesce(found_by_both.in_both, 0)
            as in_neither
    from pairs
    inner join totals as a on pairs.config_a = a.config_id
    inner join totals as b
        on
            pairs.config_b = b.config_id
            and a.slice_number = b.slice_number
            and a.cutoff_number = b.cutoff_number
    inner join slice_sizes on a.slice_number = slice_sizes.slice_number
    left join found_by_both
        on
            pairs.pair_number = found_by_both.pair_number
            and a.slice_number = found_by_both.slice_number
            and a.cutoff_number = found_by_both.cutoff_number

)

select * from final
