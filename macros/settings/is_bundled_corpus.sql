{# Whether documents, questions and golden spans are all the bundled seeds. #}
{% macro is_bundled_corpus() -%}
    {{ return(
        not var('elements_path')
        and not var('documents_path')
        and not var('documents_relation')
        and not var('questions_path')
        and not var('questions_relation')
        and not var('golden_spans_relation')
    ) }}
{%- endmacro %}
