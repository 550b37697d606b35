{%- set accepted_run = var('accepted_run') -%}

with history as (

    select distinct
        run_id,
        run_at
    from {{ ref('fct_outcome_history') }}

),

runs as (

    select run_id from {{ ref('int_run') }}

),

{% if accepted_run is none -%}
metrics as (

    select
        run_id,
        corpus_hash,
        question_set_hash,
        config_id,
        model_revision,
        strategy_version,
        settings,
        retriever_settings,
        label_kind,
        metric,
        k,
        token_budget,
        round(value, 9) as value
    from {{ ref('fct_metric_history') }}

),

present as (

    select metrics.*
    from metrics
    inner join runs on metrics.run_id = runs.run_id

),

present_size as (

    select count(*) as metrics from present

),

-- Runs with all metrics of this one and no other, of the same corpus, questions and settings.
repeated as (

    select metrics.run_id
    from metrics
    cross join present_size
    left join present
        on
            metrics.config_id = present.config_id
            and metrics.label_kind = present.label_kind
            and metrics.metric = present.metric
            and metrics.k is not distinct from present.k
            and metrics.token_budget is not distinct from present.token_budget
            and metrics.corpus_hash = present.corpus_hash
            and metrics.question_set_hash = present.question_set_hash
            and metrics.model_revision is not distinct from present.model_revision
            and metrics.strategy_version is not distinct from present.strategy_version
            and metrics.settings is not distinct from present.settings
            and metrics.retriever_settings is not distinct from present.retriever_settings
            and metrics.value is not distinct from present.value
    group by metrics.run_id, present_size.metrics
    having count(*) = count(present.config_id) and count(*) = present_size.metrics

),

{% endif -%}
earlier as (

    select history.*
    from history
    anti join runs on history.run_id = runs.run_id

),

-- The accepted run where the setting names one. Else the last run that differs from this one, so
-- that a run that only repeats the one before says the same.
final as (

    select
        earlier.run_id,
        earlier.run_at,
        {{ accepted_run is not none }} as is_accepted
    from earlier
    {% if accepted_run is none -%}
    left join repeated on earlier.run_id = repeated.run_id
    order by repeated.run_id is not null, earlier.run_at desc, earlier.run_id asc
    {%- else -%}
    where earlier.run_id = '{{ accepted_run }}'
    {%- endif %}
    limit 1

)

select * from final
