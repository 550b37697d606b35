with documents as (

    select
        doc_id,
        content_sha256,
        text
    from {{ ref('stg_documents') }}

),

questions as (

    select
        question_id,
        question
    from {{ ref('stg_questions') }}

),

golden_spans as (

    select
        question_id,
        label_kind,
        span_index,
        doc_id,
        quote
    from {{ ref('stg_golden_spans') }}

),

corpus as (

    select
        md5(
            string_agg(
                {{ chunk_bakeoff.hash_of(['doc_id', 'content_sha256']) }}, ',' order by doc_id
            )
        ) as corpus_hash,
        count(*) as documents,
        sum(length(text)) as characters
    from documents

),

question_texts as (

    select
        md5(
            string_agg(
                {{ chunk_bakeoff.hash_of(['question_id', 'question']) }}, ',' order by question_id
            )
        ) as questions_hash
    from questions

),

labels as (

    select
        md5(coalesce(string_agg(
            {{ chunk_bakeoff.hash_of(['question_id', 'label_kind', 'doc_id', 'quote']) }}, ','
            order by question_id, label_kind, span_index
        ), '')) as labels_hash
    from golden_spans

),

final as (

    select
        corpus.corpus_hash,
        {{ chunk_bakeoff.hash_of(['question_texts.questions_hash', 'labels.labels_hash']) }}
            as question_set_hash,
        corpus.documents,
        cast(corpus.characters as bigint) as characters
    from corpus
    cross join question_texts
    cross join labels

)

select * from final
