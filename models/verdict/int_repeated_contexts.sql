with retrievals as (

    select
        config_id,
        strategy,
        question_id,
        rank,
        chunk_id,
        doc_id,
        context_start,
        context_end,
        context_tokens
    from {{ ref('fct_retrievals') }}

),

gold as (

    select * from {{ ref('int_gold_regions') }}

),

-- Only where the evidence came too late can repetition have crowded it out.
late as (

    select
        config_id,
        question_id,
        max(found_at_rank) as found_at_rank
    from {{ ref('int_missed_spans') }}
    where found_at_rank is not null
    group by config_id, question_id

),

texts as (

    select
        strategy,
        chunk_id,
        context_start,
        context_end,
        {{ chunk_bakeoff.hash_of(["'text'", 'context_text']) }} as text_key
    from {{ ref('int_chunks') }}

),

ahead as (

    select
        retrievals.*,
        texts.text_key
    from retrievals
    inner join late
        on
            retrievals.config_id = late.config_id
            and retrievals.question_id = late.question_id
            and retrievals.rank <= late.found_at_rank
    -- A context that was delivered with its neighbours has a text of its own.
    left join texts
        on
            retrievals.strategy = texts.strategy
            and retrievals.chunk_id = texts.chunk_id
            and retrievals.context_start = texts.context_start
            and retrievals.context_end = texts.context_end

),

same_place as (

    select distinct
        later.config_id,
        later.question_id,
        later.rank
    from ahead as later
    inner join ahead as earlier
        on
            later.config_id = earlier.config_id
            and later.question_id = earlier.question_id
            and later.doc_id = earlier.doc_id
            and later.rank > earlier.rank
            and later.context_start < earlier.context_end
            and later.context_end > earlier.context_start
            -- At least half of it has been delivered before.
            and 2
            * (
                least(later.context_end, earlier.context_end)
                - greatest(later.context_start, earlier.context_start)
            )
            >= later.context_end - later.context_start

),

same_text as (

    select
        config_id,
        question_id,
        rank
    from ahead
    where text_key is not null
    qualify row_number() over (partition by config_id, question_id, text_key order by rank) > 1

),

repeats as (

    select
        config_id,
        question_id,
        rank
    from same_place
    union
    select
        config_id,
        question_id,
        rank
    from same_text

),

-- What brings a piece of the evidence cannot be left out, even where the rest of it repeats.
needed as (

    select distinct
        ahead.config_id,
        ahead.question_id,
        ahead.rank
    from ahead
    inner join gold
        on
            ahead.question_id = gold.question_id
            and ahead.doc_id = gold.doc_id
            and ahead.context_start < gold.gold_end
            and ahead.context_end > gold.gold_start

),

final as (

    select
        repeats.config_id,
        repeats.question_id,
        repeats.rank,
        ahead.context_tokens
    from repeats
    inner join ahead
        on
            repeats.config_id = ahead.config_id
            and repeats.question_id = ahead.question_id
            and repeats.rank = ahead.rank
    anti join needed
        on
            repeats.config_id = needed.config_id
            and repeats.question_id = needed.question_id
            and repeats.rank = needed.rank

)

select * from final
