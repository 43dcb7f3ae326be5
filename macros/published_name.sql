{#-
    A name as it is published: a short word as it stands, anything else (it may be a text, and texts are gated) by its length and hash.
-#}
{% macro published_name(name) -%}
case
    when regexp_matches({{ name }}, '^[A-Za-z0-9_.+-]{1,40}$') then {{ name }}
    else '(name of ' || strlen({{ name }}) || ' bytes, ' || left(md5({{ name }}), 8) || ')'
end
{%- endmacro %}
