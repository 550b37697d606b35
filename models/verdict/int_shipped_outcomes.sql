with winners as (

    select distinct config_id from {{ ref('int_decision_winners') }}

),

history as (

    select * from {{ ref('fct_outcome_history') }}

),

runs as (

    select run_id from {{ ref('int_run') }}

),

reference_run as (

    select run_id from {{ ref('int_reference_run') }}

),

-- What is shipped is named by a setting; until then it is what the decision recommends.
shipped as (
    {% if var('shipped_config') is not none %}
    select '{{ var("shipped_config") }}' as config_id
    {% else %}
    select config_id from winners
    {% endif %}
),

present as (

    select history.*
    from history
    inner join runs on history.run_id = runs.run_id
    inner join shipped on history.config_id = shipped.config_id

),

accepted as (

    select history.*
    from history
    inner join reference_run on history.run_id = reference_run.run_id

),

final as (

    select
        present.config_id,
        present.label_kind,
        present.question_id,
        present.recall,
        accepted.recall as accepted_recall
    from present
    inner join accepted
        on
            present.config_id = accepted.config_id
            and present.label_kind = accepted.label_kind
            and present.question_id = accepted.question_id
            and present.token_budget = accepted.token_budget

)

select * from final
