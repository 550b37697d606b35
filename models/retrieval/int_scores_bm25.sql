{{ config(enabled=chunk_bakeoff.is_needed('bm25')) }}

{%- set k1 = var('bm25')['k1'] -%}
{%- set b = var('bm25')['b'] -%}
{%- if not (k1 is number and k1 >= 0 and b is number and 0 <= b <= 1) -%}
    {{ exceptions.raise_compiler_error(
        'bm25: k1 must be at least 0 and b between 0 and 1, not ' ~ var('bm25')
    ) }}
{%- endif %}

with questions as (

    select
        question_number,
        question_id,
        unit,
        occurrences,
        audience
    from {{ ref('int_question_units') }}

),

postings as (

    select
        unit,
        text_number,
        occurrences
    from {{ ref('int_postings') }}

),

visible_chunks as (

    select
        audience,
        strategy_number,
        chunk_number,
        text_number,
        unit_count
    from {{ ref('int_audience_chunks') }}

),

chunks as (

    select * from {{ ref('int_lexical_chunks') }}

),

-- Statistics are those of what the asker may see: what is hidden moves no score.
collections as (

    select
        audience,
        strategy_number,
        count(*) as chunks,
        avg(unit_count) as mean_unit_count
    from visible_chunks
    group by audience, strategy_number

),

audience_units as (

    select distinct
        audience,
        unit
    from questions

),

matches as (

    select
        audience_units.audience,
        audience_units.unit,
        visible_chunks.strategy_number,
        visible_chunks.chunk_number,
        visible_chunks.unit_count,
        postings.occurrences
    from audience_units
    inner join postings on audience_units.unit = postings.unit
    inner join visible_chunks
        on
            audience_units.audience = visible_chunks.audience
            and postings.text_number = visible_chunks.text_number

),

frequencies as (

    select
        audience,
        strategy_number,
        unit,
        count(*) as chunks_with_unit
    from matches
    group by audience, strategy_number, unit

),

-- The form of Lucene (Robertson and Zaragoza 2009 without the constant factor k1 + 1).
weighted as (

    select
        matches.audience,
        matches.unit,
        matches.chunk_number,
        ln(
            1
            + (collections.chunks - frequencies.chunks_with_unit + 0.5)
            / (frequencies.chunks_with_unit + 0.5)
        )
        * matches.occurrences
        / (
            matches.occurrences
            + {{ k1 }} * (1 - {{ b }} + {{ b }} * matches.unit_count / collections.mean_unit_count)
        ) as weight
    from matches
    inner join collections
        on
            matches.audience = collections.audience
            and matches.strategy_number = collections.strategy_number
    inner join frequencies
        on
            matches.audience = frequencies.audience
            and matches.strategy_number = frequencies.strategy_number
            and matches.unit = frequencies.unit

),

-- Decimal, because the sum of doubles depends on their order.
scored as materialized (

    select
        questions.question_number,
        weighted.chunk_number,
        round(
            cast(
                sum(cast(questions.occurrences * weighted.weight as decimal(18, 12))) as double
            ),
            6
        ) as score
    from questions
    inner join weighted
        on
            questions.audience = weighted.audience
            and questions.unit = weighted.unit
    group by questions.question_number, weighted.chunk_number

),

deepest as (
    {{ chunk_bakeoff.deepest_candidates('scored', 'chunks') }}
),

numbered_questions as (

    select distinct
        question_number,
        question_id
    from questions

),

final as (

    select
        chunks.strategy,
        'bm25' as retriever,
        'none' as embedding_model,
        numbered_questions.question_id,
        chunks.chunk_id,
        deepest.score
    from deepest
    inner join chunks on deepest.chunk_number = chunks.chunk_number
    inner join numbered_questions on deepest.question_number = numbered_questions.question_number
    where deepest.score > 0

)

select * from final
