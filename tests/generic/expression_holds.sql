{# The expression is true of every row; of a column, where the test belongs to one. Null fails. #}
{% test expression_holds(model, expression, column_name=none) %}

select *
from {{ model }}
where not coalesce({{ column_name if column_name is not none }} {{ expression }}, false)

{% endtest %}
