{# The text holds more than white space. #}
{% test is_not_blank(model, column_name) %}

select *
from {{ model }}
where {{ column_name }} is null or {{ chunk_bakeoff.is_blank(column_name) }}

{% endtest %}
