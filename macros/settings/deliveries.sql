{# The listed deliveries that change contexts. Stops the run for an unknown one. #}
{% macro shaped_deliveries() -%}
    {%- set shaped = [] -%}
    {%- for delivery in var('deliveries') if delivery != 'plain' -%}
        {%- do chunk_bakeoff.checked_delivery(delivery) -%}
        {%- do shaped.append(delivery) -%}
    {%- endfor -%}
    {{ return(shaped) }}
{%- endmacro %}

{# A delivery, its settings checked and completed. #}
{% macro checked_delivery(name) -%}
    {%- if name not in var('delivery_settings') -%}
        {{ exceptions.raise_compiler_error(
            "deliveries: '" ~ name ~ "' is unknown; known: plain, " ~ var('delivery_settings').keys() | join(', ')
        ) }}
    {%- endif -%}
    {%- set given = var('delivery_settings')[name] -%}
    {%- for key in given if key not in ['neighbours', 'merge'] -%}
        {{ exceptions.raise_compiler_error("delivery_settings, " ~ name ~ ": unknown setting '" ~ key ~ "'; known: neighbours, merge") }}
    {%- endfor -%}
    {%- set delivery = {'neighbours': 0, 'merge': false} -%}
    {%- do delivery.update(given) -%}
    {%- if delivery['neighbours'] is not integer or delivery['neighbours'] < 0 -%}
        {{ exceptions.raise_compiler_error('delivery_settings, ' ~ name ~ ': `neighbours` must be a whole number of at least 0') }}
    {%- endif -%}
    {{ return(delivery) }}
{%- endmacro %}
