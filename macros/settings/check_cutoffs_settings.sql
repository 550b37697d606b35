{# Stops the run where cut-offs and budgets are no whole numbers above 0 that stand once, or where
   the default budget is none of the budgets. #}
{% macro check_cutoffs_settings() -%}
    {%- for setting in ['k_values', 'token_budgets'] -%}
        {%- set numbers = var(setting) -%}
        {%- if numbers is string or numbers is mapping or numbers is not iterable or not numbers -%}
            {{ exceptions.raise_compiler_error(
                "The setting `" ~ setting ~ "` must be a list of at least one number, e.g. [5, 10], not "
                ~ numbers ~ "."
            ) }}
        {%- endif -%}
        {%- for number in numbers -%}
            {%- if number is not integer or number < 1 -%}
                {{ exceptions.raise_compiler_error(
                    "The setting `" ~ setting ~ "` lists " ~ tojson(number)
                    ~ ": every item must be a whole number above 0."
                ) }}
            {%- elif numbers.count(number) > 1 -%}
                {{ exceptions.raise_compiler_error(
                    "The setting `" ~ setting ~ "` lists " ~ number ~ " twice; keep one."
                ) }}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- if var('default_budget') not in var('token_budgets') -%}
        {{ exceptions.raise_compiler_error(
            "The setting `default_budget` is " ~ tojson(var('default_budget'))
            ~ ", which is none of the `token_budgets` " ~ var('token_budgets')
            ~ ": choose one of them, or add it to the list."
        ) }}
    {%- endif -%}
{%- endmacro %}
