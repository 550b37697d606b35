{# The chunks of every listed strategy model under one set of columns; what a model leaves out is
   null. Stops the run where a strategy model is enabled but not listed. #}
{% macro union_strategies(columns) -%}
    {%- set listed = var('strategies') -%}
    {%- if not listed -%}
        {{ exceptions.raise_compiler_error('The setting `strategies` is empty: list at least one strategy model.') }}
    {%- endif -%}
    {%- do chunk_bakeoff.check_strategies_listed(listed) -%}
    {%- for entry in listed %}
        {%- set parts = entry.split('.') -%}
        {%- set relation = ref(parts[0], parts[1]) if parts | length == 2 else ref('chunk_bakeoff', entry) -%}
        {%- set present = chunk_bakeoff.column_names(relation) %}
    select
        {%- for column in columns %}
        {% if column.name in present -%}
            cast({{ column.name }} as {{ column.type }}) as {{ column.name }}
        {%- else -%}
            cast({{ column.get('default', 'null') }} as {{ column.type }}) as {{ column.name }}
        {%- endif -%}
        {{ ',' if not loop.last }}
        {%- endfor %}
    from {{ relation }}
    {{ 'union all' if not loop.last }}
    {%- endfor %}
{%- endmacro %}

{% macro check_strategies_listed(listed) -%}
    {%- if execute -%}
        {%- for node in graph.nodes.values() -%}
            {%- if node.resource_type == 'model' and 'strategies' in node.fqn[1:-1] -%}
                {%- set qualified = node.package_name ~ '.' ~ node.name -%}
                {%- if qualified not in listed and not (node.package_name == 'chunk_bakeoff' and node.name in listed) -%}
                    {{ exceptions.raise_compiler_error(
                        "The strategy model " ~ node.original_file_path ~ " is not listed. Add `"
                        ~ (node.name if node.package_name == 'chunk_bakeoff' else qualified)
                        ~ "` to the setting `strategies`, or disable the model."
                    ) }}
                {%- endif -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro %}
