{# Where documents, questions or golden spans come from: files, a relation of the user, or the
   bundled seed. #}
{% macro input_relation(path_variable, relation_variable, file_model, seed) -%}
    {%- if var(path_variable) -%}
        {{ return(ref('chunk_bakeoff', file_model)) }}
    {%- elif var(relation_variable) -%}
        {{ return(chunk_bakeoff.user_relation(var(relation_variable))) }}
    {%- else -%}
        {{ return(ref('chunk_bakeoff', seed)) }}
    {%- endif -%}
{%- endmacro %}

{# A relation of the user by its name in a setting: `model` or `project.model` for a model or seed,
   `source:name.table` for a source. #}
{% macro user_relation(name) -%}
    {%- if name.startswith('source:') -%}
        {%- set parts = name[7:].split('.') -%}
        {{ return(source(parts[0], parts[1])) }}
    {%- elif '.' in name -%}
        {%- set parts = name.split('.') -%}
        {{ return(ref(parts[0], parts[1])) }}
    {%- else -%}
        {{ return(ref(project_name, name)) }}
    {%- endif -%}
{%- endmacro %}

{# Rows that belong to the bundled corpus, or the user's own in their place; none for another corpus
   without them. #}
{% macro side_relation(relation_variable, seed) -%}
    {%- if var(relation_variable) -%}
        {{ return(chunk_bakeoff.user_relation(var(relation_variable))) }}
    {%- elif chunk_bakeoff.is_bundled_corpus() -%}
        {{ return(ref('chunk_bakeoff', seed)) }}
    {%- endif -%}
    {{ return(none) }}
{%- endmacro %}
