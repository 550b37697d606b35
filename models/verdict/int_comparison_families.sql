with counts as (

    select * from {{ ref('int_paired_counts') }}

),

sign_test as (

    select * from {{ ref('int_sign_test') }}

),

pairs as (

    select * from {{ ref('int_config_pairs') }}

),

configurations as (

    select * from {{ ref('int_configurations') }}

),

best as (

    select * from {{ ref('int_best_configs') }}

),

tested as (

    select
        counts.*,
        sign_test.p_value,
        pairs.is_with_baseline,
        pairs.is_same_strategy,
        configurations.retriever,
        configurations.embedding_model,
        configurations.delivery
    from counts
    inner join sign_test
        on
            least(counts.a_only, counts.b_only) = sign_test.fewer
            and counts.a_only + counts.b_only = sign_test.flips
    inner join pairs
        on
            counts.config_a = pairs.config_a
            and counts.config_b = pairs.config_b
    inner join configurations on counts.config_a = configurations.config_id
    where counts.slice_kind in ('all', 'split') and not pairs.is_same_strategy

),

families as (

    select
        'baseline' as family,
        tested.*
    from tested
    where is_with_baseline

    union all

    select
        'best' as family,
        tested.*
    from tested
    inner join best
        on
            tested.label_kind = best.label_kind
            and tested.slice_kind = best.slice_kind
            and tested.slice_value = best.slice_value
            and tested.retriever = best.retriever
            and tested.embedding_model = best.embedding_model
            and tested.delivery = best.delivery
            and tested.cutoff_number = best.cutoff_number
            and best.config_id in (tested.config_a, tested.config_b)

),

ordered as (

    select
        *,
        row_number() over (
            partition by
                family,
                label_kind,
                slice_kind,
                slice_value,
                retriever,
                embedding_model,
                delivery,
                cutoff_number
            order by p_value, config_a, config_b
        ) as place,
        count(*) over (
            partition by
                family,
                label_kind,
                slice_kind,
                slice_value,
                retriever,
                embedding_model,
                delivery,
                cutoff_number
        ) as family_size
    from families

),

-- Holm (1979): the i-th smallest of m values times m - i + 1, never below the one before it.
final as (

    select
        family,
        family_size,
        config_a,
        config_b,
        label_kind,
        slice_kind,
        slice_value,
        cutoff_number,
        p_value,
        least(1.0, max(p_value * (family_size - place + 1)) over (
            partition by
                family,
                label_kind,
                slice_kind,
                slice_value,
                retriever,
                embedding_model,
                delivery,
                cutoff_number
            order by place
            rows unbounded preceding
        )) as p_value_holm
    from ordered

)

select * from final
