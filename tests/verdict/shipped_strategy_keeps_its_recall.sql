-- The gate for continuous integration. It is armed by the setting accepted_run.
with regression as (

    select * from {{ ref('rpt_regression') }}
    where is_accepted

),

-- An accepted run that the history does not know would disarm the gate without a word.
unknown_run as (

    select
        'accepted_run {{ var("accepted_run") }} is not in fct_outcome_history,'
        || ' or shipped_config did not run: name a run and a configuration that are there'
            as problem
    where
        {{ var('accepted_run') is not none }}
        and not exists (select config_id from regression)

),

final as (

    select problem from unknown_run

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
