{# The best unit of each context that a ranking of the stored depth can need. Contexts that tie in
   score and place are kept together, so that the final order can break the tie.

   scored: CTE with question_number, chunk_number, score.
   chunks: CTE with the columns of int_lexical_chunks. #}
{% macro deepest_candidates(scored, chunks) -%}
    select
        question_number,
        -best.minus_chunk_number as chunk_number,
        best.score
    from (
        select
            scored.question_number,
            chunks.strategy_number,
            chunks.context_number,
            chunks.place,
            chunks.depth,
            -- Chunk numbers follow the text, so that the first unit wins a tie.
            max(struct_pack(score := scored.score, minus_chunk_number := -scored.chunk_number)) as best
        from {{ scored }} as scored
        inner join {{ chunks }} as chunks on scored.chunk_number = chunks.chunk_number
        group by
            scored.question_number,
            chunks.strategy_number,
            chunks.context_number,
            chunks.place,
            chunks.depth
    ) as contexts
    qualify
        rank() over (partition by strategy_number, question_number order by best.score desc, place) <= depth
{%- endmacro %}
