{%- do chunk_bakeoff.check_own_inputs() -%}
{%- set relation = chunk_bakeoff.input_relation(
    'questions_path', 'golden_spans_relation', 'base_file_evidence', 'raw_golden_spans'
) -%}
{%- set present = chunk_bakeoff.column_names(relation) -%}

with golden_spans as (

    select * from {{ relation }}
    {%- if var('questions_path') %}
    -- Questions of a file that have no evidence.
    where span_index is not null
    {%- endif %}

),

typed as (

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

),

checked as (

    select
        *,
        case
            when question_id is null
                then 'golden spans: a row has no question_id; name the question of every span'
            when span_index is null
                then
                    'golden spans, question_id '
                    || question_id
                    || ', column span_index: is null; number the spans of a question from 1'
        end as problem
    from typed

),

final as (

    select
        case
            when problem is not null then {{ chunk_bakeoff.stop_with('problem') }}
            else question_id
        end as question_id,
        label_kind,
        span_index,
        doc_id,
        quote,
        occurrence,
        char_start,
        section
    from checked

)

select * from final
