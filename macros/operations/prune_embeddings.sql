{# Delete stored vectors that no text of the last build uses, and say what that freed:

       dbt run-operation prune_embeddings [--args '{dry_run: true}']

   "Uses" is what the last build needed: run it with the settings of that build. Failures and cost
   records stay, they are history. #}
{% macro prune_embeddings(dry_run=false) -%}
    {%- do chunk_bakeoff.check_settings_of_last_build() -%}
    {%- set needed = chunk_bakeoff.needed_texts() -%}
    {%- set store = chunk_bakeoff.existing_relation('embedding_store') -%}
    {%- set unused -%}
        not exists (
            select 1 from {{ needed }} as needed
            where
                needed.embedding_model = store.embedding_model
                and needed.model_revision = store.model_revision
                and needed.text_kind = store.text_kind
                and needed.embedding_key = store.embedding_key
        )
    {%- endset -%}
    {%- set needed_texts = run_query('select count(*) from ' ~ needed).rows[0][0] -%}
    {%- if needed_texts == 0 -%}
        {{ exceptions.raise_compiler_error('No text is needed by the last build, so that pruning would delete every vector: first run dbt build.') }}
    {%- endif -%}
    {%- set total = run_query('select count(*) from ' ~ store).rows[0][0] -%}
    {%- set groups = run_query(
        'select embedding_model, model_revision, count(*), sum(dimensions) * 4 from ' ~ store ~ ' as store where '
        ~ unused ~ ' group by embedding_model, model_revision order by embedding_model, model_revision'
    ).rows -%}
    {%- if groups | length == 0 -%}
        {%- do log('prune_embeddings: nothing to free: all ' ~ total ~ ' vectors are in use', info=true) -%}
    {%- else -%}
        {%- for row in groups -%}
            {%- do log('prune_embeddings: ' ~ row[0] ~ ' (revision ' ~ row[1] ~ '): ' ~ row[2] ~ ' vectors, ' ~ (row[3] | int) ~ ' bytes', info=true) -%}
        {%- endfor -%}
        {%- if not dry_run -%}
            {%- call statement('prune', auto_begin=true) -%}
                delete from {{ store }} as store where {{ unused }}
            {%- endcall -%}
            {%- do adapter.commit() -%}
        {%- endif -%}
        {%- do log(
            'prune_embeddings: ' ~ ('would free ' if dry_run else 'freed ') ~ (groups | map(attribute=2) | sum)
            ~ ' of ' ~ total ~ ' vectors, ' ~ (groups | map(attribute=3) | map('int') | sum) ~ ' bytes', info=true
        ) -%}
    {%- endif -%}
{%- endmacro %}

{# Stop where the last build compared units and these settings do not: their vectors would count as unused. #}
{% macro check_settings_of_last_build() -%}
    {%- set planned = ref('chunk_bakeoff', 'embedding_usage') -%}
    {%- set usage = adapter.get_relation(planned.database, planned.schema, planned.identifier) -%}
    {%- if usage is not none -%}
        {%- set compared = run_query(
            "select distinct strategy from " ~ usage ~ " where strategy in ('semantic', 'cluster_semantic') "
            ~ "and run_id = (select run_id from " ~ usage ~ " order by recorded_at desc limit 1)"
        ).columns[0].values() -%}
        {%- for strategy in compared if strategy not in var('strategies') -%}
            {{ exceptions.raise_compiler_error(
                'The last build ran the strategy `' ~ strategy ~ '`, which is not in the setting `strategies`: prune with '
                ~ 'the settings (--vars) of that build, or build with these first.'
            ) }}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro %}

{# All texts that models with `meta: lists_needed_texts` name, as a subquery. #}
{% macro needed_texts() -%}
    {%- set relations = [] -%}
    {%- for node in graph.nodes.values() if node.config.get('meta', {}).get('lists_needed_texts') -%}
        {%- set relation = adapter.get_relation(node.database, node.schema, node.alias) -%}
        {%- if relation is none -%}
            {{ exceptions.raise_compiler_error('There is no ' ~ node.alias ~ ' yet: first run dbt build.') }}
        {%- endif -%}
        {%- do relations.append('select embedding_model, model_revision, text_kind, embedding_key from ' ~ relation) -%}
    {%- endfor -%}
    {{ return('(' ~ relations | join(' union ') ~ ')') }}
{%- endmacro %}

{# A model's relation as it stands in the database; where there is none, says what to run. #}
{% macro existing_relation(model, run='dbt build') -%}
    {%- set planned = ref('chunk_bakeoff', model) -%}
    {%- set relation = adapter.get_relation(planned.database, planned.schema, planned.identifier) -%}
    {%- if relation is none -%}
        {{ exceptions.raise_compiler_error('There is no ' ~ planned ~ ' yet: first run ' ~ run ~ '.') }}
    {%- endif -%}
    {{ return(relation) }}
{%- endmacro %}
