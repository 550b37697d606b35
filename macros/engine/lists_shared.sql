{# The items that two lists share. #}
{% macro lists_shared(left, right) -%}
    {{ return(adapter.dispatch('lists_shared', 'chunk_bakeoff')(left, right)) }}
{%- endmacro %}

{% macro default__lists_shared(left, right) -%}
    list_intersect({{ left }}, {{ right }})
{%- endmacro %}

{# Aggregate: the items that all lists share, sorted. #}
{% macro shared_by_all(lists) -%}
    {{ return(adapter.dispatch('shared_by_all', 'chunk_bakeoff')(lists)) }}
{%- endmacro %}

{% macro default__shared_by_all(lists) -%}
    list_sort(list_reduce(list({{ lists }}), lambda one, other: list_intersect(one, other)))
{%- endmacro %}

{# Aggregate: the items that any list has, sorted, without repetition. #}
{% macro items_of_any(lists) -%}
    {{ return(adapter.dispatch('items_of_any', 'chunk_bakeoff')(lists)) }}
{%- endmacro %}

{% macro default__items_of_any(lists) -%}
    list_sort(list_distinct(flatten(list({{ lists }}))))
{%- endmacro %}
