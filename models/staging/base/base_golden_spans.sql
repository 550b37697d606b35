{%- set relation = chunk_bakeoff.input_relation(
    'questions_path', 'golden_spans_relation', 'base_file_evidence', 'raw_golden_spans'
) -%}
{%- set present = chunk_bakeoff.column_names(relation) -%}

with golden_spans as (

    select * from {{ relation }}

),

final as (

    select
        cast(question_id as {{ dbt.type_string() }}) as question_id,
        coalesce({{ chunk_bakeoff.optional_column(present, 'label_kind') }}, 'span') as label_kind,
        cast(span_index as bigint) as span_index,
        {{ chunk_bakeoff.optional_column(present, 'doc_id') }} as doc_id,
        cast(quote as {{ dbt.type_string() }}) as quote,
        cast({{ chunk_bakeoff.optional_column(present, 'occurrence') }} as bigint) as occurrence,
        cast({{ chunk_bakeoff.optional_column(present, 'char_start') }} as bigint) as char_start,
        {{ chunk_bakeoff.optional_column(present, 'section') }} as section
    from golden_spans
    -- Questions of a file that have no evidence.
    where span_index is not null

)

select * from final
