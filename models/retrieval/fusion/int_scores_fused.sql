{%- set fusions = chunk_bakeoff.needed_fusions() -%}
{{ config(enabled=fusions | length > 0) }}

with rankings as (

    select
        strategy,
        retriever,
        embedding_model,
        question_id,
        context_id,
        chunk_id,
        rank,
        score
    from {{ ref('int_part_rankings') }}

),

fusions as (
    {% for name in fusions %}
    {%- set fusion = chunk_bakeoff.checked_fusion(name) %}
    {%- set weights = fusion['weights'] if fusion['method'] == 'weighted' else [1.0, 1.0] %}
    {%- set outer_loop = loop %}
    {%- for part in fusion['of'] %}
    select
        '{{ name }}' as fusion,
        '{{ part }}' as part,
        {{ loop.index }} as part_number,
        {{ chunk_bakeoff.ranks_vectors(part) }} as ranks_vectors,
        '{{ fusion['method'] }}' as method,
        cast({{ weights[loop.index0] }} as double) as weight,
        {{ fusion['constant'] }} as constant,
        {{ fusion['depth'] }} as depth
    {{ 'union all' if not (loop.last and outer_loop.last) }}
    {%- endfor %}
    {%- endfor %}

),

listed as (

    select
        fusions.fusion,
        fusions.part_number,
        fusions.ranks_vectors,
        fusions.method,
        fusions.weight,
        fusions.constant,
        rankings.strategy,
        rankings.embedding_model,
        rankings.question_id,
        rankings.context_id,
        rankings.chunk_id,
        rankings.rank,
        rankings.score
    from fusions
    inner join rankings
        on
            fusions.part = rankings.retriever
            and fusions.depth >= rankings.rank

),

-- A ranking without vectors is fused with that of every embedding model.
models as (

    select distinct
        fusion,
        embedding_model
    from listed
    where
        ranks_vectors
        or fusion not in (
            select fusion
            from fusions
            where ranks_vectors
        )

),

paired as (

    select
        listed.* exclude (embedding_model),
        models.embedding_model
    from listed
    inner join models
        on
            listed.fusion = models.fusion
            and (not listed.ranks_vectors or listed.embedding_model = models.embedding_model)

),

-- Reciprocal rank fusion (Cormack, Clarke and Buettcher 2009), or scores scaled to [0, 1] within
-- the list. Decimal, so that the order of the sum does not matter.
shares as (

    select
        *,
        cast(weight * case
            when method = 'rrf' then 1.0 / (constant + rank)
            else coalesce(
                (score - min(score) over list_of_part)
                / nullif(max(score) over list_of_part - min(score) over list_of_part, 0),
                1.0
            )
        end as decimal(18, 12)) as share
    from paired
    window list_of_part as (
        partition by fusion, part_number, embedding_model, strategy, question_id
    )

),

fused as (

    select
        fusion,
        strategy,
        embedding_model,
        question_id,
        context_id,
        -- The best unit is that of the first part which holds the context.
        arg_min(chunk_id, part_number) as chunk_id,
        round(cast(sum(share) as double), 6) as score
    from shares
    group by fusion, strategy, embedding_model, question_id, context_id

),

final as (

    select
        strategy,
        fusion as retriever,
        embedding_model,
        question_id,
        chunk_id,
        score
    from fused

)

select * from final
