{# 'a|b' as a sorted list without repetition; an empty or null text is an empty list. #}
{% macro list_of(expression) -%}
    {{ return(adapter.dispatch('list_of', 'chunk_bakeoff')(expression)) }}
{%- endmacro %}

{% macro default__list_of(expression) -%}
    {{ chunk_bakeoff.cleaned_list("string_split(" ~ expression ~ ", '|')") }}
{%- endmacro %}

{# The items of a list as text, trimmed, sorted, without repetition and without blank ones; a null
   list is an empty one. #}
{% macro cleaned_list(expression) -%}
    {{ return(adapter.dispatch('cleaned_list', 'chunk_bakeoff')(expression)) }}
{%- endmacro %}

{% macro default__cleaned_list(expression) -%}
    list_sort(list_distinct(list_filter(
        list_transform(
            coalesce(cast({{ expression }} as {{ dbt.type_string() }}[]), []), lambda item: trim(item)
        ),
        lambda item: item != ''
    )))
{%- endmacro %}

{# Whether two lists share an item. #}
{% macro lists_overlap(left, right) -%}
    {{ return(adapter.dispatch('lists_overlap', 'chunk_bakeoff')(left, right)) }}
{%- endmacro %}

{% macro default__lists_overlap(left, right) -%}
    list_has_any({{ left }}, {{ right }})
{%- endmacro %}

{# One row per item of a list column. #}
{% macro explode(expression) -%}
    {{ return(adapter.dispatch('explode', 'chunk_bakeoff')(expression)) }}
{%- endmacro %}

{% macro default__explode(expression) -%}
    unnest({{ expression }})
{%- endmacro %}

{# Whether a list holds an item. #}
{% macro list_holds(items, item) -%}
    {{ return(adapter.dispatch('list_holds', 'chunk_bakeoff')(items, item)) }}
{%- endmacro %}

{% macro default__list_holds(items, item) -%}
    list_contains({{ items }}, {{ item }})
{%- endmacro %}

{# The values of a group as a list. #}
{% macro collect(expression) -%}
    {{ return(adapter.dispatch('collect', 'chunk_bakeoff')(expression)) }}
{%- endmacro %}

{% macro default__collect(expression) -%}
    list({{ expression }})
{%- endmacro %}

{# The values of a group as a list, in the order of another expression. #}
{% macro list_in_order(expression, ordering) -%}
    {{ return(adapter.dispatch('list_in_order', 'chunk_bakeoff')(expression, ordering)) }}
{%- endmacro %}

{% macro default__list_in_order(expression, ordering) -%}
    list({{ expression }} order by {{ ordering }})
{%- endmacro %}
