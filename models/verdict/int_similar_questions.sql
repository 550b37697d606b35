{%- set shared = 'len(' ~ chunk_bakeoff.lists_shared('a.words', 'b.words') ~ ')' -%}

with questions as (

    select
        question_id,
        {{ chunk_bakeoff.distinct_words_of('question') }} as words
    from {{ ref('stg_questions') }}

),

exploded as (

    select
        question_id,
        {{ chunk_bakeoff.explode('words') }} as word,
        len(words) as number_of_words
    from questions

),

counted as (

    select
        *,
        count(*) over (partition by word) as frequency
    from exploded

),

-- Of two questions that share half of all their words, both have a shared one among the rarer half
-- of their own (prefix filtering; Chaudhuri, Ganti and Kaushik 2006). So few pairs are compared.
rare as (

    select
        question_id,
        word
    from counted
    qualify
        row_number() over (partition by question_id order by frequency, word)
        <= floor(number_of_words / 2) + 1

),

candidates as (

    select distinct
        a.question_id,
        b.question_id as similar_id
    from rare as a
    inner join rare as b
        on
            a.word = b.word
            and a.question_id != b.question_id

),

compared as (

    select
        candidates.question_id,
        candidates.similar_id,
        {{ shared }} / (len(a.words) + len(b.words) - {{ shared }}) as similarity
    from candidates
    inner join questions as a on candidates.question_id = a.question_id
    inner join questions as b on candidates.similar_id = b.question_id

),

final as (

    select
        question_id,
        similar_id,
        similarity
    from compared
    where similarity >= 0.5
    qualify
        row_number() over (partition by question_id order by similarity desc, similar_id asc) = 1

)

select * from final
