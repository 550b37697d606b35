{# The chunks of every listed strategy model under one set of columns; what a model leaves out is
   null. Stops the run where the list is wrong or a strategy model is not on it. #}
{% macro union_strategies(columns) -%}
    {%- set listed = var('strategies') -%}
    {%- do chunk_bakeoff.check_strategies_setting(listed) -%}
    {%- do chunk_bakeoff.check_strategy_variants_setting(listed) -%}
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

{% macro check_strategies_setting(listed) -%}
    {%- if listed is string or listed is mapping or not listed -%}
        {{ exceptions.raise_compiler_error(
            "The setting `strategies` must be a list of at least one strategy model, e.g. [fixed, structure]."
        ) }}
    {%- endif -%}
    {%- for entry in listed -%}
        {%- if not modules.re.fullmatch('(?!chunk_bakeoff[.])[A-Za-z_][A-Za-z0-9_]*([.][A-Za-z_][A-Za-z0-9_]*)?', entry ~ '') -%}
            {{ exceptions.raise_compiler_error(
                "The setting `strategies` lists `" ~ entry ~ "`: list a model of chunk_bakeoff as `model`, one of "
                ~ "your own project as `project.model`."
            ) }}
        {%- elif listed.count(entry) > 1 -%}
            {{ exceptions.raise_compiler_error("The setting `strategies` lists `" ~ entry ~ "` twice; keep one.") }}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro %}

{# Variants of a model that does not run would be passed over in silence. #}
{% macro check_strategy_variants_setting(listed) -%}
    {%- set models = [] -%}
    {%- for entry in listed -%}
        {%- do models.append(entry.split('.')[-1]) -%}
    {%- endfor -%}
    {%- for model in var('strategy_variants') if model not in models -%}
        {{ exceptions.raise_compiler_error(
            "The setting `strategy_variants` has variants for `" ~ model ~ "`, which is none of the `strategies` "
            ~ listed ~ ": correct the name, or list the model."
        ) }}
    {%- endfor -%}
{%- endmacro %}

{# A strategy model is one in a folder `strategies` that, in other projects than this one, reads
   from this one. #}
{% macro check_strategies_listed(listed) -%}
    {%- if execute -%}
        {%- for node in graph.nodes.values() if node.resource_type == 'model' and 'strategies' in node.fqn[1:-1] -%}
            {%- set is_bundled = node.package_name == 'chunk_bakeoff' -%}
            {%- set name = node.name if is_bundled else node.package_name ~ '.' ~ node.name -%}
            {%- set reads_from_here = '.chunk_bakeoff.' in node.depends_on.nodes | join(' ') -%}
            {%- if (is_bundled or reads_from_here) and name not in listed -%}
                {{ exceptions.raise_compiler_error(
                    "The strategy model " ~ node.original_file_path ~ " is not listed. Add `" ~ name
                    ~ "` to the setting `strategies`, or disable the model."
                ) }}
            {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro %}
