{# No two rows agree in all of these columns; null counts as a value. #}
{% test unique_combination(model, columns) %}

select
    {{ columns | join(',\n    ') }},
    count(*) as row_count
from {{ model }}
group by {{ columns | join(', ') }}
having count(*) > 1

{% endtest %}
