{# The scored units of the named retrievers. #}
{% macro candidates_of(retrievers) -%}
    {%- for retriever in retrievers %}
    select strategy, retriever, embedding_model, question_id, chunk_id, score
    from {{ ref('chunk_bakeoff', chunk_bakeoff.score_model(retriever)) }}
    where retriever = '{{ retriever }}'
    {{ 'union all' if not loop.last }}
    {%- endfor %}
{%- endmacro %}
