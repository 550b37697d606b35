with questions as (

    select
        question_id,
        question,
        split,
        {{ chunk_bakeoff.distinct_words_of('question') }} as words
    from {{ ref('stg_questions') }}

),

golden_spans as (

    select
        question_id,
        label_kind,
        span_index,
        quote
    from {{ ref('stg_golden_spans') }}

),

outcomes as (

    select
        question_id,
        label_kind,
        complete_at_rank
    from {{ ref('int_question_outcomes') }}

),

difficulty as (

    select
        question_id,
        label_kind,
        count(*) as configurations,
        count(*) filter (where complete_at_rank = 1) as found_first,
        count(*) filter (where complete_at_rank <= {{ var('k_values') | max }}) as found
    from outcomes
    group by question_id, label_kind

),

evidence as (

    select
        question_id,
        label_kind,
        {{ chunk_bakeoff.distinct_words_of("string_agg(quote, ' ' order by span_index)") }} as words
    from golden_spans
    group by question_id, label_kind

),

nearest as (

    select * from {{ ref('int_similar_questions') }}

),

final as (

    select
        questions.question_id,
        evidence.label_kind,
        questions.question,
        questions.split,
        difficulty.configurations,
        difficulty.found_first,
        difficulty.found,
        coalesce(difficulty.found_first = difficulty.configurations, false) as is_too_easy,
        coalesce(difficulty.found = 0, false) as is_too_hard,
        -- A question that copies the words of its evidence is found by any retriever.
        len({{ chunk_bakeoff.lists_shared('questions.words', 'evidence.words') }})
        / nullif(len(questions.words), 0) as copied_share,
        coalesce(
            len({{ chunk_bakeoff.lists_shared('questions.words', 'evidence.words') }})
            >= 0.8 * len(questions.words),
            false
        ) as is_leaking,
        nearest.similar_id as nearest_question_id,
        nearest.similarity as nearest_similarity,
        coalesce(nearest.similarity >= 0.7, false) as has_near_duplicate
    from questions
    inner join evidence on questions.question_id = evidence.question_id
    left join difficulty
        on
            evidence.question_id = difficulty.question_id
            and evidence.label_kind = difficulty.label_kind
    left join nearest on questions.question_id = nearest.question_id

)

select * from final
