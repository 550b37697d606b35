{# Where documents, questions or golden spans come from: files, a relation of the user, or the
   bundled seed.

   A relation is named `model` or `project.model` for a model or seed, `source:name.table` for a
   source. #}
{% macro input_relation(path_variable, relation_variable, file_model, seed) -%}
    {%- if var(path_variable) -%}
        {{ return(ref('chunk_bakeoff', file_model)) }}
    {%- elif not var(relation_variable) -%}
        {{ return(ref('chunk_bakeoff', seed)) }}
    {%- else -%}
        {{ return(chunk_bakeoff.relation_named(var(relation_variable))) }}
    {%- endif -%}
{%- endmacro %}

{# The relation that a setting names. #}
{% macro relation_named(name) -%}
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
