with counts as (

    select * from {{ ref('int_paired_counts') }}

),

cutoffs as (

    select * from {{ ref('int_cutoffs') }}

),

sign_test as (

    select * from {{ ref('int_sign_test') }}

),

-- The pair of the baseline with the best stands in both families; the larger value is kept.
families as (

    select
        config_a,
        config_b,
        label_kind,
        cutoff_number,
        string_agg(family, '+' order by family) as family,
        max(p_value_holm) as p_value_holm
    from {{ ref('int_comparison_families') }}
    where slice_kind = 'all'
    group by config_a, config_b, label_kind, cutoff_number

),

tested as (

    select
        counts.config_a,
        counts.config_b,
        counts.label_kind,
        counts.slice_kind,
        counts.slice_value,
        cutoffs.metric,
        cutoffs.k,
        cutoffs.token_budget,
        counts.a_only,
        counts.b_only,
        counts.in_both,
        counts.in_neither,
        sign_test.p_value,
        case when counts.slice_kind = 'all' then families.p_value_holm end as p_value_holm,
        case when counts.slice_kind = 'all' then families.family end as family
    from counts
    inner join cutoffs on counts.cutoff_number = cutoffs.cutoff_number
    inner join sign_test
        on
            least(counts.a_only, counts.b_only) = sign_test.fewer
            and counts.a_only + counts.b_only = sign_test.flips
    left join families
        on
            counts.config_a = families.config_a
            and counts.config_b = families.config_b
            and counts.label_kind = families.label_kind
            and counts.cutoff_number = families.cutoff_number

),

-- Every pair stands in both directions, so that a filter on config_a gives all about one.
directed as (

    select * from tested

    union all

    select
        config_b as config_a,
        config_a as config_b,
        label_kind,
        slice_kind,
        slice_value,
        metric,
        k,
        token_budget,
        b_only as a_only,
        a_only as b_only,
        in_both,
        in_neither,
        p_value,
        p_value_holm,
        family
    from tested

),

final as (

    select
        config_a,
        config_b,
        label_kind,
        slice_kind,
        slice_value,
        metric,
        k,
        token_budget,
        cast(a_only as bigint) as a_only,
        cast(b_only as bigint) as b_only,
        cast(in_both as bigint) as "both",
        cast(in_neither as bigint) as neither,
        cast(p_value as double) as p_value,
        cast(p_value_holm as double) as p_value_holm,
        coalesce(family, 'exploratory') as family
    from directed

)

select * from final
