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
    {%- for key in given if key not in ['neighbours', 'merge', 'auto_merge'] -%}
        {{ exceptions.raise_compiler_error("delivery_settings, " ~ name ~ ": unknown setting '" ~ key ~ "'; known: neighbours, merge, auto_merge") }}
    {%- endfor -%}
    {%- set delivery = {'neighbours': 0, 'merge': false, 'auto_merge': none} -%}
    {%- do delivery.update(given) -%}
    {%- if delivery['neighbours'] is not integer or delivery['neighbours'] < 0 -%}
        {{ exceptions.raise_compiler_error('delivery_settings, ' ~ name ~ ': `neighbours` must be a whole number of at least 0') }}
    {%- endif -%}
    {%- set share = delivery['auto_merge'] -%}
    {%- if share is not none and not (share is number and 0 < share <= 1 and delivery['merge']) -%}
        {{ exceptions.raise_compiler_error(
            'delivery_settings, ' ~ name ~ ': `auto_merge` is a share above 0 and at most 1, and needs `merge: true`'
        ) }}
    {%- endif -%}
    {{ return(delivery) }}
{%- endmacro %}

{# The listed deliveries that merge contexts, as a list in SQL. #}
{% macro merging_deliveries() -%}
    {%- set merging = ["''"] -%}
    {%- for delivery in chunk_bakeoff.shaped_deliveries() if chunk_bakeoff.checked_delivery(delivery)['merge'] -%}
        {%- do merging.append("'" ~ delivery ~ "'") -%}
    {%- endfor -%}
    ({{ merging | join(', ') }})
{%- endmacro %}
