-- depends_on: {{ ref('int_embedding_run') }}
{%- set comparing_units = ['semantic', 'cluster_semantic'] -%}
{%- set unit_strategies = comparing_units | select('in', var('strategies')) | list %}

with chunks as (

    select
        strategy,
        embedding_key
    from {{ ref('int_chunks') }}

),

questions as (

    select question from {{ ref('stg_questions') }}

),
{%- if unit_strategies %}

-- Strategies that compare units need their vectors before they cut.
units as (

    select text from {{ ref('int_units') }}

),
{%- endif %}

embedding_models as (

    select
        embedding_model,
        model_revision,
        max_tokens,
        price_per_million_tokens
    from {{ ref('int_embedding_models') }}
    where embedding_model = encoded_by

),

needed_texts as (

    select
        embedding_model,
        text_kind,
        embedding_key,
        token_count
    from {{ ref('int_needed_texts') }}
    {%- if unit_strategies %}
    union
    select
        embedding_model,
        text_kind,
        embedding_key,
        token_count
    from {{ ref('int_unit_texts') }}
    {%- endif %}

),

-- What earlier rows have not accounted for yet, that of killed runs included.
embedded as (

    select
        embedding_model,
        model_revision,
        text_kind,
        embedding_key,
        token_count
    from {{ ref('embedding_store') }}
    {%- if is_incremental() %}
    where
        embedded_at > (
            select coalesce(max(recorded_at), timestamp '1970-01-01') as recorded_at
            from {{ this }}
        )
    {%- endif %}

),

users as (

    select
        chunks.strategy,
        embedding_models.embedding_model,
        'passage' as text_kind,
        chunks.embedding_key,
        count(*) as occurrences
    from chunks
    cross join embedding_models
    group by chunks.strategy, embedding_models.embedding_model, chunks.embedding_key

    union all

    select
        '(questions)' as strategy,
        embedding_models.embedding_model,
        'query' as text_kind,
        {{ chunk_bakeoff.hash_of(["'text'", 'questions.question']) }} as embedding_key,
        count(*) as occurrences
    from questions
    cross join embedding_models
    group by embedding_models.embedding_model, questions.question
    {%- for strategy in unit_strategies %}

    union all

    select
        '{{ strategy }}' as strategy,
        '{{ chunk_bakeoff.unit_embedding_model() }}' as embedding_model,
        'passage' as text_kind,
        {{ chunk_bakeoff.hash_of(["'text'", 'text']) }} as embedding_key,
        count(*) as occurrences
    from units
    group by text
    {%- endfor %}

),

needed as (

    select
        users.strategy,
        needed_texts.embedding_model,
        sum(users.occurrences) as texts_needed,
        sum(
            users.occurrences * least(needed_texts.token_count, embedding_models.max_tokens)
        ) as tokens_needed
    from users
    inner join needed_texts
        on
            users.embedding_model = needed_texts.embedding_model
            and users.text_kind = needed_texts.text_kind
            and users.embedding_key = needed_texts.embedding_key
    inner join embedding_models on needed_texts.embedding_model = embedding_models.embedding_model
    group by users.strategy, needed_texts.embedding_model

),

shares as (

    select
        coalesce(users.strategy, '(no longer used)') as strategy,
        embedded.embedding_model,
        1.0 / count(*) over (
            partition by
                embedded.embedding_model,
                embedded.model_revision,
                embedded.text_kind,
                embedded.embedding_key
        ) as share,
        least(embedded.token_count, embedding_models.max_tokens) as tokens
    from embedded
    inner join embedding_models on embedded.embedding_model = embedding_models.embedding_model
    left join users
        on
            embedded.embedding_model = users.embedding_model
            and embedded.text_kind = users.text_kind
            and embedded.embedding_key = users.embedding_key

),

paid as (

    select
        strategy,
        embedding_model,
        sum(share) as texts_embedded,
        sum(share * tokens) as tokens_embedded
    from shares
    group by strategy, embedding_model

),

final as (

    select
        '{{ invocation_id }}' as run_id,
        coalesce(needed.strategy, paid.strategy) as strategy,
        coalesce(needed.embedding_model, paid.embedding_model) as embedding_model,
        cast(coalesce(needed.texts_needed, 0) as bigint) as texts_needed,
        cast(coalesce(needed.tokens_needed, 0) as bigint) as tokens_needed,
        cast(coalesce(paid.texts_embedded, 0) as double) as texts_embedded,
        cast(coalesce(paid.tokens_embedded, 0) as double) as tokens_embedded,
        embedding_models.price_per_million_tokens,
        {{ chunk_bakeoff.utc_now() }} as recorded_at
    from needed
    full outer join paid
        on
            needed.strategy = paid.strategy
            and needed.embedding_model = paid.embedding_model
    inner join embedding_models
        on coalesce(needed.embedding_model, paid.embedding_model) = embedding_models.embedding_model

)

select * from final
