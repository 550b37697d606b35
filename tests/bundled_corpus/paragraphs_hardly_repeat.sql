{{ config(enabled=chunk_bakeoff.is_bundled_corpus()) }}

-- Filler would make every strategy look alike. Two paragraphs of at least 12 words are
-- near-duplicates when they share half of their runs of three words (Jaccard; Broder 1997). The
-- pairs are returned when 2 % of the paragraphs, or more, have such a partner.
with documents as (

    select
        doc_id,
        text
    from {{ ref('raw_documents') }}

),

paragraphs as (
    {{ chunk_bakeoff.paragraphs_of('documents') }}
),

worded as (

    select
        doc_id,
        paragraph,
        {{ chunk_bakeoff.words_of('paragraph') }} as words
    from paragraphs

),

long_paragraphs as (

    select
        doc_id,
        paragraph,
        row_number() over (order by doc_id, paragraph) as paragraph_number,
        {{ chunk_bakeoff.shingles_of('words', 3) }} as shingles
    from worded
    where len(words) >= 12

),

shingles as (

    select
        paragraph_number,
        len(shingles) as shingle_count,
        {{ chunk_bakeoff.explode('shingles') }} as shingle
    from long_paragraphs

),

shared as (

    select
        first_one.paragraph_number as first_number,
        second_one.paragraph_number as second_number,
        count(*) / (
            any_value(first_one.shingle_count) + any_value(second_one.shingle_count) - count(*)
        ) as similarity
    from shingles as first_one
    inner join shingles as second_one
        on
            first_one.shingle = second_one.shingle
            and first_one.paragraph_number < second_one.paragraph_number
    group by first_one.paragraph_number, second_one.paragraph_number

),

near_duplicates as (

    select * from shared
    where similarity >= 0.5

),

repeating as (

    select first_number as paragraph_number from near_duplicates
    union
    select second_number as paragraph_number from near_duplicates

),

shares as (

    select count(repeating.paragraph_number) / count(*) as share
    from long_paragraphs
    left join repeating on long_paragraphs.paragraph_number = repeating.paragraph_number

)

select
    near_duplicates.similarity,
    first_one.doc_id as first_doc_id,
    first_one.paragraph as first_paragraph,
    second_one.doc_id as second_doc_id,
    second_one.paragraph as second_paragraph
from near_duplicates
cross join shares
inner join long_paragraphs as first_one
    on near_duplicates.first_number = first_one.paragraph_number
inner join long_paragraphs as second_one
    on near_duplicates.second_number = second_one.paragraph_number
where shares.share >= 0.02
