{#-
    The keys that a probe line is read by, as the shape for one typed parse. Like `record_shape` it reads scalars as text, and no texts of
    probes or models.
-#}
{% macro probe_shape(replies, estimates=none) -%}
{%- set shape = {} -%}
{%- for key in battery_scalars() %}{% do shape.update({key: "VARCHAR"}) %}{% endfor -%}
{%- do shape.update({
    "agents": [dict.fromkeys(battery_agent_scalars(), "VARCHAR")],
    "probe_results": replies,
}) -%}
{%- if estimates %}{% do shape.update({"alpha_estimates": estimates}) %}{% endif -%}
{{ tojson(shape) }}
{%- endmacro %}

{#- Keys of a battery with one value each. -#}
{% macro battery_scalars() -%}
{{ return([
    "condition", "agent_idx", "agent_id", "repeat", "temperature", "initial_answer", "initial_correct", "flip_rate", "alpha_total",
    "alpha_solo", "alpha_social", "alpha", "social_sensitivity", "argument_sensitivity", "sa_ratio", "n_revised", "n_probes",
    "post_answer_none", "initial_cost", "probe_cost",
]) }}
{%- endmacro %}

{#- Keys of an agent of a line that holds several batteries. -#}
{% macro battery_agent_scalars() -%}
{{ return([
    "agent_id", "agent_idx", "initial_answer", "initial_correct", "initial_cost", "temperature", "alpha", "n_revised", "n_probes",
]) }}
{%- endmacro %}

{#- The text of an object none of whose keys is there. -#}
{% macro empty_object(keys) -%}
{"{{ keys | join('":null,"') }}":null}
{%- endmacro %}

{#- Keys of a reply to a probe. -#}
{% macro reply_scalars() -%}
{{ return([
    "strength", "strength_value", "probe_type", "social", "alt_answer", "original_answer", "post_answer", "probe_answer", "revised", "cost",
]) }}
{%- endmacro %}

{#- Replies in a list (dialects H, I, K). -#}
{% macro listed_probe_shape() -%}
{{ probe_shape([dict.fromkeys(reply_scalars(), "VARCHAR")]) }}
{%- endmacro %}

{#- Replies in a list per agent (dialect E): its keys are data, so they become a map. -#}
{% macro keyed_probe_shape() -%}
{{ probe_shape(
    "MAP(VARCHAR, STRUCT(" ~ reply_scalars() | join(" VARCHAR, ") ~ " VARCHAR)[])",
    "MAP(VARCHAR, STRUCT(mean_flip_rate VARCHAR, n_probes VARCHAR, n_revised VARCHAR))",
) }}
{%- endmacro %}
