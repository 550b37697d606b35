{%- set shaped = chunk_bakeoff.shaped_deliveries() -%}
{{ config(enabled=shaped | length > 0) }}

with configurations as (

    select
        config_id,
        strategy,
        retriever,
        embedding_model,
        delivery
    from {{ ref('int_configurations') }}

),

deliveries as (
    {% for name in shaped %}
    {%- set delivery = chunk_bakeoff.checked_delivery(name) %}
    select
        '{{ name }}' as delivery,
        {{ delivery['neighbours'] }} as neighbours,
        {{ delivery['merge'] }} as is_merged,
        cast({{ delivery['auto_merge'] or 'null' }} as double) as merge_share
    {{ 'union all' if not loop.last }}
    {%- else %}
    select
        null as delivery,
        0 as neighbours,
        false as is_merged,
        null as merge_share
    {%- endfor %}

),

rankings as (

    select * from {{ ref('int_rankings') }}

),

depth as (

    select
        strategy,
        context_depth
    from {{ ref('int_retrieval_depth') }}

),

contexts as (

    select
        strategy,
        doc_id,
        context_id,
        any_value(context_start) as context_start,
        any_value(context_end) as context_end,
        any_value(left(context_text, length(context_text) - (context_end - context_start)))
            as context_prefix
    from {{ ref('int_chunks') }}
    group by strategy, doc_id, context_id

),

numbered as (

    select
        *,
        row_number() over (
            partition by strategy, doc_id order by context_start, context_end, context_id
        ) as position
    from contexts

),

families as (

    select
        strategy,
        chunk_id,
        doc_id,
        parent_start,
        parent_end,
        count(*) over (partition by strategy, doc_id, parent_start, parent_end) as children
    from {{ ref('int_chunks') }}
    where parent_start is not null

),

regions as (

    select
        doc_id,
        region_start,
        region_end,
        access_key
    from {{ ref('int_access_regions') }}

),

visibility as (

    select
        question_id,
        access_key
    from {{ ref('int_question_visibility') }}

),

delivered as (

    select
        configurations.config_id,
        configurations.strategy,
        deliveries.neighbours,
        deliveries.is_merged,
        deliveries.merge_share,
        rankings.* exclude (strategy, retriever, embedding_model)
    from configurations
    inner join deliveries on configurations.delivery = deliveries.delivery
    inner join depth on configurations.strategy = depth.strategy
    inner join rankings
        on
            configurations.strategy = rankings.strategy
            and configurations.retriever = rankings.retriever
            and configurations.embedding_model = rankings.embedding_model
            and rankings.rank <= depth.context_depth

),

-- What the asker may not see in the documents delivered to them.
hidden as (

    select
        pairs.question_id,
        regions.doc_id,
        regions.region_start,
        regions.region_end
    from (select distinct question_id, doc_id from delivered) as pairs
    inner join regions on pairs.doc_id = regions.doc_id
    left join visibility
        on
            pairs.question_id = visibility.question_id
            and regions.access_key = visibility.access_key
    where visibility.access_key is null

),

-- How far a context may grow: up to the nearest hidden stretch on each side.
limits as (

    select
        delivered.config_id,
        delivered.question_id,
        delivered.context_id,
        max(hidden.region_end) filter (where hidden.region_end <= delivered.context_start)
            as first_start,
        min(hidden.region_start) filter (where hidden.region_start >= delivered.context_end)
            as last_end
    from delivered
    inner join hidden
        on
            delivered.question_id = hidden.question_id
            and delivered.doc_id = hidden.doc_id
    group by delivered.config_id, delivered.question_id, delivered.context_id

),

-- A parent takes the place of its children where enough of them are found and the asker may see
-- all of it.
parents as (

    select
        delivered.config_id,
        delivered.question_id,
        delivered.doc_id,
        families.parent_start,
        families.parent_end
    from delivered
    inner join families
        on
            delivered.strategy = families.strategy
            and delivered.chunk_id = families.chunk_id
    left join hidden
        on
            delivered.question_id = hidden.question_id
            and delivered.doc_id = hidden.doc_id
            and families.parent_start < hidden.region_end
            and families.parent_end > hidden.region_start
    where delivered.rank <= {{ var('k_values') | max }}
    group by
        delivered.config_id,
        delivered.question_id,
        delivered.doc_id,
        families.parent_start,
        families.parent_end
    having
        count(distinct delivered.chunk_id)
        >= any_value(delivered.merge_share) * any_value(families.children)
        and count(hidden.doc_id) = 0

),

expanded as (

    select
        delivered.config_id,
        delivered.question_id,
        delivered.rank,
        delivered.context_id,
        delivered.chunk_id,
        delivered.doc_id,
        min(neighbours.context_start) as context_start,
        max(neighbours.context_end) as context_end,
        arg_min(neighbours.context_prefix, neighbours.position) as context_prefix,
        delivered.strategy,
        delivered.score,
        delivered.embedding_key,
        delivered.access_key,
        delivered.is_merged
    from delivered
    inner join numbered as own
        on
            delivered.strategy = own.strategy
            and delivered.context_id = own.context_id
    left join limits
        on
            delivered.config_id = limits.config_id
            and delivered.question_id = limits.question_id
            and delivered.context_id = limits.context_id
    inner join numbered as neighbours
        on
            own.strategy = neighbours.strategy
            and own.doc_id = neighbours.doc_id
            and neighbours.position >= own.position - delivered.neighbours
            and neighbours.position <= own.position + delivered.neighbours
            and neighbours.context_start >= coalesce(limits.first_start, 0)
            and neighbours.context_end <= coalesce(limits.last_end, neighbours.context_end)
    group by all

),

final as (

    select
        expanded.config_id,
        expanded.question_id,
        expanded.rank,
        expanded.context_id,
        expanded.chunk_id,
        expanded.doc_id,
        least(expanded.context_start, parents.parent_start) as context_start,
        greatest(expanded.context_end, parents.parent_end) as context_end,
        expanded.context_prefix,
        expanded.score,
        expanded.embedding_key,
        expanded.access_key,
        expanded.is_merged
    from expanded
    left join families
        on
            expanded.strategy = families.strategy
            and expanded.chunk_id = families.chunk_id
    left join parents
        on
            expanded.config_id = parents.config_id
            and expanded.question_id = parents.question_id
            and expanded.doc_id = parents.doc_id
            and families.parent_start = parents.parent_start
            and families.parent_end = parents.parent_end

)

select * from final
