{{ config(store_failures=true) }}

{%- set accepted_run = var('accepted_run') -%}
{%- set shipped_config = var('shipped_config') -%}

-- The gate for continuous integration. It is armed by the setting accepted_run.
with regression as (

    select * from {{ ref('rpt_regression') }}
    where is_accepted

),

accepted as (

    select distinct config_id from {{ ref('fct_outcome_history') }}
    where run_id = '{{ accepted_run }}'

),

configurations as (

    select
        string_agg(config_id, ', ' order by config_id) as names,
        count(*) filter (where config_id = '{{ shipped_config }}') as shipped
    from {{ ref('int_configurations') }}

),

-- A name that nothing has would disarm the gate without a word.
unknown_run as (

    select
        'accepted_run {{ accepted_run }} is not in fct_outcome_history:'
        || ' name a run_id that is there'
            as problem
    where
        {{ accepted_run is not none }}
        and not exists (select config_id from accepted)

),

unknown_config as (

    select
        'shipped_config {{ shipped_config }} did not run; these did: ' || names as problem
    from configurations
    where {{ shipped_config is not none }} and shipped = 0

),

not_accepted as (

    select
        'what is shipped ({{ shipped_config or "the recommendation" }}) has no outcome in the'
        || ' accepted run {{ accepted_run }}: name another run, or accept a new one'
            as problem
    where
        exists (select config_id from accepted)
        and not exists (select config_id from regression)
        and not exists (select problem from unknown_config)

),

final as (

    select problem from unknown_run

    union all

    select problem from unknown_config

    union all

    select problem from not_accepted

    union all

    select
        config_id
        || ' by '
        || label_kind
        || ' falls from '
        || {{ chunk_bakeoff.number_text('accepted_recall') }}
        || ' to '
        || {{ chunk_bakeoff.number_text('recall') }}
        || ' within {{ var("default_budget") }} tokens: gains '
        || gained
        || ' questions, loses ' || lost || ', p = ' || {{ chunk_bakeoff.number_text('p_value', 4) }}
        || '; read fct_misses, or accept the new run by setting accepted_run' as problem
    from regression
    where is_significant_fall or is_large_fall

)

select * from final
