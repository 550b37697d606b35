{# The Unicode property White_Space as a regular-expression class. `\s` is ASCII only on DuckDB.
   chunk_bakeoff.text.WHITE_SPACE in Python is the same set. #}
{% macro white_space_class(negated=false) -%}
    {{ return(adapter.dispatch('white_space_class', 'chunk_bakeoff')(negated)) }}
{%- endmacro %}

{% macro default__white_space_class(negated) -%}
    [{{ '^' if negated }}\x{0009}-\x{000D}\x{0020}\x{0085}\x{00A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}]
{%- endmacro %}
