{# Stops the run where a limit is no share, or a count or a price is no number of its kind. #}
{% macro check_number_settings() -%}
    {%- for setting in ['max_loss', 'significance_level', 'max_regression', 'max_drift', 'unknown_share_limit'] -%}
        {%- set share = var(setting) -%}
        {%- if share is not number or share is boolean or share < 0 or share > 1 -%}
            {{ exceptions.raise_compiler_error(
                "The setting `" ~ setting ~ "` is " ~ tojson(share) ~ ", which is not a number from 0 to 1, e.g. 0.05."
            ) }}
        {%- endif -%}
    {%- endfor -%}
    {%- set smallest = var('smallest_slice') -%}
    {%- if smallest is not integer or smallest < 1 -%}
        {{ exceptions.raise_compiler_error(
            "The setting `smallest_slice` is " ~ tojson(smallest) ~ ", which is not a whole number above 0, e.g. 20."
        ) }}
    {%- endif -%}
    {%- set price = var('context_price_per_million_tokens') -%}
    {%- if price is not number or price is boolean or price < 0 -%}
        {{ exceptions.raise_compiler_error(
            "The setting `context_price_per_million_tokens` is " ~ tojson(price)
            ~ ", which is not a number from 0, e.g. 1.0."
        ) }}
    {%- endif -%}
{%- endmacro %}
