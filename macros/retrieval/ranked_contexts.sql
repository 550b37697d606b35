{# Contexts in the order in which a retriever delivers them: each once, at the rank of its best
   unit.

   candidates: CTE with strategy, retriever, embedding_model, question_id, chunk_id, score.
   chunks: CTE with the columns of int_chunks. #}
{% macro ranked_contexts(candidates, chunks) -%}
    select
        *,
        row_number() over (
            partition by strategy, retriever, embedding_model, question_id
            order by score desc, doc_id, context_start, chunk_id
        ) as rank
    from (
        select
            candidates.strategy,
            candidates.retriever,
            candidates.embedding_model,
            candidates.question_id,
            chunks.context_id,
            chunks.chunk_id,
            chunks.doc_id,
            chunks.context_start,
            chunks.context_end,
            candidates.score,
            chunks.context_tokens,
            chunks.embedding_key,
            chunks.access_key
        from {{ candidates }} as candidates
        inner join {{ chunks }} as chunks
            on
                candidates.strategy = chunks.strategy
                and candidates.chunk_id = chunks.chunk_id
        qualify
            row_number() over (
                partition by
                    candidates.strategy,
                    candidates.retriever,
                    candidates.embedding_model,
                    candidates.question_id,
                    chunks.context_id
                order by candidates.score desc, chunks.char_start, chunks.chunk_id
            ) = 1
    ) as best_units
{%- endmacro %}
