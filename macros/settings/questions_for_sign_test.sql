{# How many questions in all the two-sided sign test needs to find a gap like this one at 5 % with
   a power of 80 % (Connor 1987, for paired proportions). Null where there is no gap.
   `wins` and `losses`: questions that only one of the two finds, out of `questions`. #}
{% macro questions_for_sign_test(wins, losses, questions) -%}
    {%- set z_level = 1.959963984540054 -%}
    {%- set z_power = 0.8416212335729143 -%}
    {%- set flip_share = '((' ~ wins ~ ' + ' ~ losses ~ ') / ' ~ questions ~ ')' -%}
    {%- set gap = '((' ~ wins ~ ' - ' ~ losses ~ ') / ' ~ questions ~ ')' -%}
    ceil(
        power({{ z_level }} * sqrt({{ flip_share }}) + {{ z_power }} * sqrt(greatest(0.0, {{ flip_share }} - power({{ gap }}, 2))), 2)
        / nullif(power({{ gap }}, 2), 0)
    )
{%- endmacro %}
