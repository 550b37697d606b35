-- Every character of every document that is not white space lies in some chunk of every strategy.
-- Characters are counted in the bodies, each in the first chunk that reaches it.
with documents as (

    select
        doc_id,
        {{ chunk_bakeoff.count_non_space('text') }} as characters
    from {{ ref('stg_documents') }}

),

chunks as (

    select
        strategy,
        doc_id,
        char_start,
        char_end,
        body
    from {{ ref('int_chunks') }}

),

strategies as (

    select distinct strategy from chunks

),

reaching as (

    select
        *,
        max(char_end) over (
            partition by strategy, doc_id
            order by char_start, char_end
            rows between unbounded preceding and 1 preceding
        ) as reached
    from chunks

),

covered as (

    select
        strategy,
        doc_id,
        sum({{ chunk_bakeoff.count_non_space(
            'substring(body, greatest(coalesce(reached, 0) - char_start, 0) + 1)'
        ) }}) as characters
    from reaching
    group by strategy, doc_id

)

select
    strategies.strategy,
    documents.doc_id,
    documents.characters,
    coalesce(covered.characters, 0) as covered_characters
from documents
cross join strategies
left join covered
    on
        documents.doc_id = covered.doc_id
        and strategies.strategy = covered.strategy
where documents.characters != coalesce(covered.characters, 0)
