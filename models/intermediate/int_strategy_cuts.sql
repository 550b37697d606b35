{%- set text = dbt.type_string() -%}
{%- set columns = [
    {'name': 'strategy', 'type': text},
    {'name': 'doc_id', 'type': text},
    {'name': 'char_start', 'type': 'bigint'},
    {'name': 'char_end', 'type': 'bigint'},
    {'name': 'body', 'type': text},
    {'name': 'heading_path', 'type': text},
    {'name': 'embed_prefix', 'type': text},
    {'name': 'embed_text', 'type': text},
    {'name': 'context_start', 'type': 'bigint'},
    {'name': 'context_end', 'type': 'bigint'},
    {'name': 'context_prefix', 'type': text},
    {'name': 'window_start', 'type': 'bigint'},
    {'name': 'window_end', 'type': 'bigint'},
    {'name': 'parent_start', 'type': 'bigint'},
    {'name': 'parent_end', 'type': 'bigint'},
    {'name': 'settings', 'type': text},
    {'name': 'strategy_version', 'type': text},
] -%}

{{ chunk_bakeoff.union_strategies(columns) }}
