{# The first dimensions of a vector, as a list. #}
{% macro first_dimensions(vector, dimensions) -%}
    {{ return(adapter.dispatch('first_dimensions', 'chunk_bakeoff')(vector, dimensions)) }}
{%- endmacro %}

{% macro default__first_dimensions(vector, dimensions) -%}
    list_slice({{ vector }}, 1, {{ dimensions }})
{%- endmacro %}

{# A vector given as a list, divided by a number. #}
{% macro divide_vector(vector, number) -%}
    {{ return(adapter.dispatch('divide_vector', 'chunk_bakeoff')(vector, number)) }}
{%- endmacro %}

{% macro default__divide_vector(vector, number) -%}
    list_transform({{ vector }}, lambda x: cast(x / {{ number }} as float))
{%- endmacro %}

{# Inner product of two vectors given as lists. #}
{% macro inner_product(left, right) -%}
    {{ return(adapter.dispatch('inner_product', 'chunk_bakeoff')(left, right)) }}
{%- endmacro %}

{% macro default__inner_product(left, right) -%}
    list_inner_product({{ left }}, {{ right }})
{%- endmacro %}
