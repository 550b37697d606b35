{%- set text = dbt.type_string() -%}

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
        {{ chunk_bakeoff.hash_of([
            'question_id', 'question', 'question_form', 'language', 'split', 'tenant',
            'cast(groups as ' ~ text ~ ')', 'cast(answerable as ' ~ text ~ ')',
            'cast(tags as ' ~ text ~ ')',
        ]) }} as question_hash
    from {{ ref('stg_questions') }}

),

-- As given: where a quote is found changes with the documents.
golden_spans as (

    select
        question_id,
        label_kind,
        span_index,
        {{ chunk_bakeoff.hash_of([
            'question_id', 'label_kind', 'doc_id', 'quote', 'section',
            'cast(occurrence as ' ~ text ~ ')', 'cast(char_start as ' ~ text ~ ')',
        ]) }} as label_hash
    from {{ ref('base_golden_spans') }}

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

question_set as (

    select md5(string_agg(question_hash, ',' order by question_id)) as questions_hash
    from questions

),

labels as (

    select
        md5(coalesce(
            string_agg(label_hash, ',' order by question_id, label_kind, span_index), ''
        )) as labels_hash
    from golden_spans

),

final as (

    select
        corpus.corpus_hash,
        {{ chunk_bakeoff.hash_of(['question_set.questions_hash', 'labels.labels_hash']) }}
            as question_set_hash,
        corpus.documents,
        cast(corpus.characters as bigint) as characters
    from corpus
    cross join question_set
    cross join labels

)

select * from final
