with pairs as (

    select
        config_a,
        config_b
    from {{ ref('int_config_pairs') }}

),

directed as (

    select
        config_a as config_found,
        config_b as config_missed
    from pairs
    union all
    select
        config_b as config_found,
        config_a as config_missed
    from pairs

),

cutoffs as (

    select * from {{ ref('int_cutoffs') }}

),

outcomes as (

    select
        config_id,
        label_kind,
        question_id,
        complete_at_rank,
        complete_at_tokens
    from {{ ref('int_question_outcomes') }}

),

questions as (

    select
        question_id,
        question
    from {{ ref('stg_questions') }}

),

evidence as (

    select
        question_id,
        label_kind,
        min_by(doc_id, span_index) as doc_id,
        min_by(quote, span_index) as quote
    from {{ ref('stg_golden_spans') }}
    group by question_id, label_kind

),

excerpts as (

    select
        strategy,
        chunk_id,
        left(context_text, 160) as excerpt
    from {{ ref('int_chunks') }}

),

top_results as (

    select
        retrievals.config_id,
        retrievals.question_id,
        retrievals.doc_id,
        retrievals.context_start,
        retrievals.context_end,
        excerpts.excerpt
    from {{ ref('fct_retrievals') }} as retrievals
    inner join excerpts
        on
            retrievals.strategy = excerpts.strategy
            and retrievals.chunk_id = excerpts.chunk_id
    where retrievals.rank = 1

),

answers as (

    select
        directed.config_found,
        directed.config_missed,
        hit.label_kind,
        hit.question_id,
        hit.complete_at_rank as found_at_rank,
        hit.complete_at_tokens as found_at_tokens,
        miss.complete_at_rank as missed_until_rank,
        miss.complete_at_tokens as missed_until_tokens
    from directed
    inner join outcomes as hit on directed.config_found = hit.config_id
    inner join outcomes as miss
        on
            directed.config_missed = miss.config_id
            and hit.label_kind = miss.label_kind
            and hit.question_id = miss.question_id

),

flips as (

    select
        answers.*,
        cutoffs.metric,
        cutoffs.k,
        cutoffs.token_budget
    from answers
    inner join cutoffs
        on
            (
                answers.found_at_rank <= cutoffs.k
                and coalesce(answers.missed_until_rank > cutoffs.k, true)
            )
            or (
                answers.found_at_tokens <= cutoffs.token_budget
                and coalesce(answers.missed_until_tokens > cutoffs.token_budget, true)
            )

),

final as (

    select
        flips.config_found,
        flips.config_missed,
        flips.label_kind,
        flips.metric,
        flips.k,
        flips.token_budget,
        flips.question_id,
        questions.question,
        evidence.doc_id,
        evidence.quote,
        flips.found_at_rank,
        flips.found_at_tokens,
        flips.missed_until_rank,
        flips.missed_until_tokens,
        found_top.doc_id as found_top_doc_id,
        found_top.context_start as found_top_start,
        found_top.context_end as found_top_end,
        found_top.excerpt as found_top_excerpt,
        missed_top.doc_id as missed_top_doc_id,
        missed_top.context_start as missed_top_start,
        missed_top.context_end as missed_top_end,
        missed_top.excerpt as missed_top_excerpt
    from flips
    inner join questions on flips.question_id = questions.question_id
    inner join evidence
        on
            flips.question_id = evidence.question_id
            and flips.label_kind = evidence.label_kind
    inner join top_results as found_top
        on
            flips.config_found = found_top.config_id
            and flips.question_id = found_top.question_id
    -- A retriever may return nothing.
    left join top_results as missed_top
        on
            flips.config_missed = missed_top.config_id
            and flips.question_id = missed_top.question_id

)

select * from final
