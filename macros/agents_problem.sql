{#-
    What is wrong with the agents of a per-agent line, or null. Only asked where the rounds do not all hold the same agents in order.
    An agent that is missing in a round is fine (it was not asked); an agent without a name beside named ones, or twice, is not.
-#}
{% macro agents_problem() -%}
{%- set places = [
    ('initial_states', '[r.initial_states]', '[*]'),
    ('round_traces', 'r.round_traces', '[*][*]'),
    ('round_states', 'r.round_states', '[*][*]'),
    ('rounds', 'r.rounds', '[*][*]'),
    ('final_states', '[r.final_states]', '[*]'),
] -%}
case
    {%- for key, panels, each_agent in places %}
    when n_{{ key }} is not null and list_bool_or(list_transform({{ panels }}, lambda p: p is null))
        then 'a round of {{ key }} is no list: give every round as a list of agents'
    when list_bool_or(list_transform(json_extract(line, '$.{{ key }}{{ each_agent }}'), lambda a: json_type(a) <> 'OBJECT'))
        then 'an agent of {{ key }} is no object: give every agent as an object with agent_id and answer'
    when
        list_bool_or(
            list_transform(
                {{ panels }},
                lambda p: list_unique(list_transform(p, lambda a: a.agent_id)) < list_count(list_transform(p, lambda a: a.agent_id))
            )
        )
        then 'an agent stands twice in one round of {{ key }}: keep one answer per agent and round'
    when list_bool_or(list_transform({{ panels }}, lambda p: list_count(list_transform(p, lambda a: a.agent_id)) not in (0, len(p))))
        then 'an agent of {{ key }} has no agent_id beside agents that have one: name every agent, or none'
    when
        list_bool_or(
            list_transform({{ panels }}, lambda p: len(p) > 0 and (list_count(list_transform(p, lambda a: a.agent_id)) = 0) <> (n_initial_ids = 0))
        )
        then 'the agents of {{ key }} and the initial ones are not both named: name every agent in every round, or none'
    {%- endfor %}
end
{%- endmacro %}
