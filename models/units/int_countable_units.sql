with units as (

    select distinct text from {{ ref('int_units') }}

),

unit_model as (

    select embedding_model, passage_prefix from {{ ref('int_embedding_models') }}
    where embedding_model = '{{ chunk_bakeoff.unit_embedding_model() }}'

),

final as (

    select
        unit_model.embedding_model as tokenizer,
        unit_model.passage_prefix || units.text as text
    from units
    cross join unit_model

)

select
    tokenizer,
    {{ chunk_bakeoff.hash_of(["'text'", 'text']) }} as text_key,
    text
from final
