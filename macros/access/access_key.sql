{# One text for an access list: tenant, groups that may see it, groups that may not. #}
{% macro access_key(tenant, acl, acl_deny) -%}
    {{ return(adapter.dispatch('access_key', 'chunk_bakeoff')(tenant, acl, acl_deny)) }}
{%- endmacro %}

{% macro default__access_key(tenant, acl, acl_deny) -%}
    md5(cast(to_json(struct_pack(tenant := {{ tenant }}, acl := {{ acl }}, acl_deny := {{ acl_deny }})) as varchar))
{%- endmacro %}
