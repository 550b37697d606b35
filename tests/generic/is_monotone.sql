{# The column never decreases along another one within each group of rows; with `direction: down`
   it never increases. Values are compared to 9 places, because means are sums in any order. #}
{% test is_monotone(model, column_name, along, within, direction='up') %}

with steps as (

    select
        {{ within | join(',\n        ') }},
        {{ along }},
        {{ column_name }},
        lag({{ column_name }}) over (
            partition by {{ within | join(', ') }} order by {{ along }}
        ) as previous
    from {{ model }}

)

select *
from steps
where round({{ column_name }} - previous, 9) {{ '<' if direction == 'up' else '>' }} 0

{% endtest %}
