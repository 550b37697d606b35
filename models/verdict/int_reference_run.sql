with history as (

    select distinct
        run_id,
        run_at
    from {{ ref('fct_outcome_history') }}

),

runs as (

    select run_id from {{ ref('int_run') }}

),

earlier as (

    select history.*
    from history
    anti join runs on history.run_id = runs.run_id

),

-- The accepted run where the setting names one, else the run before this one.
final as (

    select
        run_id,
        run_at,
        {{ var('accepted_run') is not none }} as is_accepted
    from earlier
    {%- if var('accepted_run') is not none %}
    where run_id = '{{ var("accepted_run") }}'
    {%- endif %}
    order by run_at desc, run_id asc
    limit 1

)

select * from final
