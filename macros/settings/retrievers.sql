{# Which retrievers rank vectors; the others have the embedding model `none`. #}
{% macro ranks_vectors(retriever) -%}
    {{ return(retriever in ['dense', 'dense_two_step']) }}
{%- endmacro %}
