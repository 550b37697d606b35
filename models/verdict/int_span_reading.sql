with spans as (

    select * from {{ ref('int_scored_spans') }}

),

chunks as (

    select
        strategy,
        chunk_id,
        doc_id,
        char_start,
        char_end,
        body,
        embed_text,
        embedding_key,
        context_start,
        context_end
    from {{ ref('int_chunks') }}

),

embedding_models as (

    select embedding_model from {{ ref('int_embedding_models') }}

),

read_characters as (

    select * from {{ ref('int_read_characters') }}

),

holders as (

    select
        chunks.strategy,
        spans.question_id,
        spans.span_index,
        chunks.embedding_key,
        chunks.char_start,
        length(chunks.embed_text) - length(chunks.body) as prefix_characters,
        greatest(chunks.char_start, spans.char_start) as piece_start,
        chunks.char_start < spans.char_end and chunks.char_end > spans.char_start as holds_piece
    from chunks
    inner join spans
        on
            chunks.doc_id = spans.doc_id
            and chunks.context_start < spans.char_end
            and chunks.context_end > spans.char_start

),

final as (

    select
        holders.strategy,
        embedding_models.embedding_model,
        holders.question_id,
        holders.span_index,
        -- Every unit with a piece of the span was cut off before that piece.
        coalesce(bool_and(
            read_characters.read_characters is not null
            and holders.char_start + read_characters.read_characters - holders.prefix_characters
            <= holders.piece_start
        ) filter (where holders.holds_piece), false) as is_unread
    from holders
    cross join embedding_models
    left join read_characters
        on
            embedding_models.embedding_model = read_characters.embedding_model
            and holders.embedding_key = read_characters.embedding_key
    group by
        holders.strategy, embedding_models.embedding_model, holders.question_id, holders.span_index

)

select * from final
