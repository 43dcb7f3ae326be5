{#-
    One regular expression for every spelling that seeds/agent_aliases.csv knows, for names with line breaks between them; null without such
    rows, and then no line is looked at. A pattern that is none is left out: it meets nothing, and unmatched_seed_rows lists it.
-#}
{% macro set_agent_names() %}
    set variable agent_names = (
        select '(?m)^(?:' || string_agg(spelling, '|' order by spelling) || ')$'
        from (
            select unnest([regexp_escape(alias), if(try(regexp_full_match('', pattern)) is not null, pattern, null)]) as spelling
            from {{ ref('agent_aliases') }}
        )
    );
{% endmacro %}

{#- Whether a list of names holds one that the seed knows. -#}
{% macro holds_agent_name(names) -%}
case
    when getvariable('agent_names') is null then false
    else coalesce(regexp_matches(array_to_string({{ names }}, chr(10)), getvariable('agent_names')), false)
end
{%- endmacro %}

{#- Whether two rounds hold names that may be of one agent; `doubts` are pairs {name, other} of names that may be. -#}
{% macro holds_doubt(doubts, names, earlier_names) -%}
list_bool_or(
    list_transform(
        {{ doubts }},
        lambda d: (list_contains({{ names }}, d.name) and list_contains({{ earlier_names }}, d.other))
        or (list_contains({{ names }}, d.other) and list_contains({{ earlier_names }}, d.name))
    )
)
{%- endmacro %}
