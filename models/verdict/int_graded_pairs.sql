with pairs as (

    select * from {{ ref('int_config_pairs') }}
    where not is_same_strategy

),

label_kinds as (

    select distinct label_kind from {{ ref('int_question_outcomes') }}

),

primary_cutoff as (

    select cutoff_number from {{ ref('int_cutoffs') }}
    where is_primary

),

best as (

    select
        best.label_kind,
        best.config_id
    from {{ ref('int_best_configs') }} as best
    inner join primary_cutoff on best.cutoff_number = primary_cutoff.cutoff_number
    where best.slice_kind = 'all'

),

with_best as (

    select distinct
        pairs.config_a,
        pairs.config_b,
        best.label_kind
    from pairs
    inner join best on best.config_id in (pairs.config_a, pairs.config_b)

),

-- The pairs that the decision looks at; every pair would be hundreds.
final as (

    select
        pairs.config_a,
        pairs.config_b,
        label_kinds.label_kind
    from pairs
    cross join label_kinds
    where pairs.is_with_baseline

    union

    select
        config_a,
        config_b,
        label_kind
    from with_best

)

select * from final
