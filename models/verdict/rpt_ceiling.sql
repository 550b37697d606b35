with configurations as (

    select * from {{ ref('int_configurations') }}

),

cover as (

    select * from {{ ref('int_evidence_cover') }}

),

metrics as (

    select
        config_id,
        k,
        value
    from {{ ref('fct_metrics') }}
    where metric = 'complete_evidence' and label_kind = 'span' and slice_kind = 'all'

),

questions as (

    select
        strategy,
        question_id,
        bool_and(coalesce(contexts_for_span = 1, false)) as is_whole,
        any_value(contexts_for_question) as contexts_for_question
    from cover
    group by strategy, question_id

),

cutoffs as (
    {{ chunk_bakeoff.as_values(var('k_values'), 'k') }}

),

ceilings as (

    select
        questions.strategy,
        cutoffs.k,
        count(*) as n_scored,
        avg(case when questions.is_whole then 1.0 else 0.0 end) as whole_share,
        avg(case when questions.contexts_for_question <= cutoffs.k then 1.0 else 0.0 end) as ceiling
    from questions
    cross join cutoffs
    group by questions.strategy, cutoffs.k

),

final as (

    select
        configurations.config_id,
        configurations.strategy,
        configurations.retriever,
        configurations.embedding_model,
        configurations.delivery,
        cast(ceilings.k as integer) as k,
        ceilings.n_scored,
        cast(ceilings.whole_share as double) as whole_share,
        cast(ceilings.ceiling as double) as ceiling,
        metrics.value as complete_evidence,
        cast(1 - ceilings.ceiling as double) as lost_by_chunking,
        cast(ceilings.ceiling - metrics.value as double) as lost_by_ranking
    from ceilings
    inner join configurations on ceilings.strategy = configurations.strategy
    inner join metrics
        on
            configurations.config_id = metrics.config_id
            and ceilings.k = metrics.k

)

select * from final
