{#-
    The keys that the landing parse reads, as the shape for one typed parse of a line. Scalars are read as text and cast in staging,
    so that 1, true and "1" are told from a missing key by rule and not by a failed cast. Model texts are not in it: those of agents
    are taken from the few lines that hold any (`agent_texts`), all others stay in the files.
-#}
{% macro record_shape() -%}
{%- set agents = [{"agent_id": "VARCHAR", "answer": "VARCHAR"}] -%}
{%- set shape = {} -%}
{%- for key in record_scalars() %}{% do shape.update({key: "VARCHAR"}) %}{% endfor -%}
{%- do shape.update({
    "initial_answers": ["VARCHAR"], "final_answers": ["VARCHAR"],
    "initial_states": agents, "final_states": agents,
    "round_traces": [agents], "rounds": [agents], "round_states": [agents],
    "outcome": {
        "collapse": "VARCHAR", "correction": "VARCHAR", "initial_n_correct": "VARCHAR", "final_n_correct": "VARCHAR",
    },
}) -%}
{{ tojson(shape) }}
{%- endmacro %}

{#- Keys with one value each. -#}
{% macro record_scalars() -%}
{{ return([
    "question_id", "debate_id", "benchmark", "category", "correct_label", "answer", "gold",
    "model", "model_name", "openrouter_model_id", "model_id", "backend", "timestamp", "n_rounds", "total_cost", "reasoning_effort", "provider_resolved",
    "majority_answer", "majority_correct", "initial_majority", "initial_correct", "final_answer", "final_correct",
    "collapsed", "corrected", "task_kind",
    "source_file", "mode", "task", "condition", "n_agents", "no_key",
]) }}
{%- endmacro %}

{#- Baselines of a dialect F line: answers without a debate. -#}
{% macro baseline_methods() -%}
{{ return(["majority_vote", "confidence_weighted", "self_consistency", "best_of_n"]) }}
{%- endmacro %}
