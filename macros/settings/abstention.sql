{# The setting `abstention`, with defaults for the keys that are not given. #}
{% macro abstention() -%}
    {%- set given = var('abstention') -%}
    {%- if given is not mapping -%}
        {{ exceptions.raise_compiler_error(
            "The setting `abstention` must be a mapping, e.g. {signal: score, target_false_answer_rate: 0.1}, not "
            ~ given ~ "."
        ) }}
    {%- endif -%}
    {%- set known = {'signal': 'score', 'target_false_answer_rate': 0.1} -%}
    {%- for key in given if key not in known -%}
        {{ exceptions.raise_compiler_error(
            "The setting `abstention` has an unknown key `" ~ key ~ "`; known: signal, target_false_answer_rate."
        ) }}
    {%- endfor -%}
    {%- set settings = dict(known, **given) -%}
    {%- if settings['signal'] not in ['score', 'margin'] -%}
        {{ exceptions.raise_compiler_error(
            "abstention, signal: `" ~ settings['signal'] ~ "` is neither score nor margin."
        ) }}
    {%- endif -%}
    {%- set rate = settings['target_false_answer_rate'] -%}
    {%- if rate is not number or rate < 0 or rate > 1 -%}
        {{ exceptions.raise_compiler_error(
            "abstention, target_false_answer_rate: `" ~ rate ~ "` is not a number from 0 to 1."
        ) }}
    {%- endif -%}
    {{ return(settings) }}
{%- endmacro %}
