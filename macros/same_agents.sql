{#- Whether the agents of every round stand in the order of the initial ones; null without such rounds. -#}
{% macro same_agents(panels) -%}
list_bool_and(
    list_transform(
        {{ panels }},
        lambda p: list_transform(p, lambda a: a.agent_id) is not distinct from list_transform(r.initial_states, lambda a: a.agent_id)
    )
)
{%- endmacro %}
