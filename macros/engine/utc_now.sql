{# The present time in UTC as a timestamp without zone, as all recorded times are. #}
{% macro utc_now() -%}
    {{ return(adapter.dispatch('utc_now', 'chunk_bakeoff')()) }}
{%- endmacro %}

{% macro default__utc_now() -%}
    cast(now() at time zone 'utc' as timestamp)
{%- endmacro %}
