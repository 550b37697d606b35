{%- do chunk_bakeoff.check_own_inputs() -%}
{%- set relation = chunk_bakeoff.input_relation(
    'questions_path', 'questions_relation', 'base_file_evidence', 'raw_questions'
) -%}
{%- set present = chunk_bakeoff.column_names(relation) -%}

with questions as (

    select * from {{ relation }}

),

-- A file of questions holds one row per piece of evidence.
typed as (

    select distinct
        cast(question_id as {{ dbt.type_string() }}) as question_id,
        cast(question as {{ dbt.type_string() }}) as question,
        {{ chunk_bakeoff.optional_column(present, 'question_form') }} as question_form,
        {{ chunk_bakeoff.optional_column(present, 'language') }} as language,
        {{ chunk_bakeoff.optional_column(present, 'split') }} as split,
        {{ chunk_bakeoff.acl_column(relation, 'groups', 'null') }} as groups,
        {{ chunk_bakeoff.optional_column(present, 'tenant') }} as tenant,
        {{ chunk_bakeoff.optional_column(present, 'answerable') }} as answerable,
        {{ chunk_bakeoff.acl_column(relation, 'tags', 'null') }} as tags
    from questions

),

checked as (

    select
        *,
        case
            when question_id is null or question_id = ''
                then 'questions: a row has no question_id; give every question an id'
            when question is null or {{ chunk_bakeoff.is_blank('question') }}
                then
                    'questions, question_id '
                    || question_id
                    || ', column question: is empty; write the question or drop the row'
            when count(*) over (partition by question_id) > 1
                then
                    'questions, question_id '
                    || question_id
                    || ': stands in rows that differ; keep one'
            when split not in ('tune', 'holdout')
                then
                    'questions, question_id '
                    || question_id
                    || ', column split: '
                    || split
                    || ' is neither tune nor holdout'
            when try_cast(answerable as boolean) is null and answerable is not null
                then
                    'questions, question_id '
                    || question_id
                    || ', column answerable: '
                    || answerable
                    || ' is neither true nor false'
        end as problem
    from typed

),

final as (

    select
        case
            when problem is not null then {{ chunk_bakeoff.stop_with('problem') }}
            else question_id
        end as question_id,
        question,
        coalesce(question_form, 'unspecified') as question_form,
        coalesce(language, 'und') as language,
        coalesce(split, 'tune') as split,
        -- An asker without groups sees what is public.
        case
            when len(groups) = 0 then ['public']
            else groups
        end as groups,
        coalesce(tenant, '') as tenant,
        coalesce(try_cast(answerable as boolean), true) as answerable,
        tags
    from checked

)

select * from final
