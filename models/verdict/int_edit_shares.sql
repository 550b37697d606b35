with replays as (

    select * from {{ ref('edit_replays') }}

),

corpus as (

    select corpus_hash from {{ ref('int_corpus') }}

),

variants as (

    select distinct
        strategy,
        cast(settings as {{ dbt.type_string() }}) as settings
    from {{ ref('int_chunks') }}

),

-- Only replays of this corpus with these settings, and of those the latest.
final as (

    select
        replays.strategy,
        replays.edit,
        replays.documents,
        replays.texts,
        replays.texts_to_embed,
        replays.texts_to_embed / replays.texts as share
    from replays
    inner join corpus on replays.corpus_hash = corpus.corpus_hash
    inner join variants
        on
            replays.strategy = variants.strategy
            and replays.settings = variants.settings
    qualify
        row_number()
            over (partition by replays.strategy, replays.edit order by replays.replayed_at desc)
        = 1

)

select * from final
