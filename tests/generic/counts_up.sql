{# The column counts start, start + 1, start + 2 … without gaps within each group of rows. #}
{% test counts_up(model, column_name, within, start=1) %}

with counted as (

    select
        {{ within | join(',\n        ') }},
        {{ column_name }},
        row_number() over (
            partition by {{ within | join(', ') }} order by {{ column_name }}
        ) - 1 + {{ start }} as expected
    from {{ model }}

)

select *
from counted
where {{ column_name }} is distinct from expected

{% endtest %}
