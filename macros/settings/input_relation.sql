{# Where documents, questions or golden spans come from: files, a relation of the user, or the
   bundled seed.

   A relation is named `model` or `project.model` for a model or seed, `source:name.table` for a
   source. #}
{% macro input_relation(path_variable, relation_variable, file_model, seed) -%}
    {%- set name = var(relation_variable) -%}
    {%- if var(path_variable) -%}
        {{ return(ref('chunk_bakeoff', file_model)) }}
    {%- elif not name -%}
        {{ return(ref('chunk_bakeoff', seed)) }}
    {%- elif name.startswith('source:') -%}
        {%- set parts = name[7:].split('.') -%}
        {{ return(source(parts[0], parts[1])) }}
    {%- elif '.' in name -%}
        {%- set parts = name.split('.') -%}
        {{ return(ref(parts[0], parts[1])) }}
    {%- else -%}
        {{ return(ref(project_name, name)) }}
    {%- endif -%}
{%- endmacro %}
