{#-
    What a line says of the tokens and the money that its completions took, as a short JSON text: [completions with a usage, input tokens,
    output tokens, thinking tokens, cost]; null where it says nothing. A probe line may state the sum of all its calls under `usage`, which
    wins over its replies, and is about all its completions (a null number of them). Only lines that hold the word are parsed for it.
-#}
{% macro usage_text(line) -%}
{%- set usage = dict.fromkeys(usage_scalars(), "VARCHAR") -%}
{%- do usage.update({"completion_tokens_details": {"reasoning_tokens": "VARCHAR"}}) -%}
{%- set state = [{"usage": usage}] -%}
{%- set shape = {
    "usage": usage, "initial_usage": [usage], "initial_tokens": usage, "probe_results": state,
    "initial_states": state, "round_traces": [state], "round_states": [state], "rounds": [state],
} -%}
case
    when contains({{ line }}, 'usage"') or contains({{ line }}, '"initial_tokens"')
        then list_transform(
            list_transform(
                [try(from_json({{ line }}, '{{ tojson(shape) }}'))],
                lambda u: {'is_whole': u.usage is not null, 'each': list_filter(
                    if(
                        u.usage is not null,
                        [u.usage],
                        list_concat(
                            list_transform(coalesce(u.initial_states, []), lambda s: s.usage),
                            {%- for rounds in ['round_traces', 'round_states', 'rounds'] %}
                            list_transform(flatten(coalesce(u.{{ rounds }}, [])), lambda s: s.usage),
                            {%- endfor %}
                            list_transform(coalesce(u.probe_results, []), lambda s: s.usage),
                            coalesce(u.initial_usage, []),
                            [u.initial_tokens]
                        )
                    ),
                    lambda x: x is not null
                )}
            ),
            lambda x: to_json([
                if(x.is_whole, null, len(x.each)::double),
                {{ summed('x.each', ['prompt_tokens', 'input_tokens', 'input']) }},
                {{ summed('x.each', ['completion_tokens', 'output_tokens', 'output']) }},
                {{ summed('x.each', ['thinking_tokens', 'thinking', 'completion_tokens_details.reasoning_tokens']) }},
                {{ summed('x.each', ['cost']) }}
            ])::varchar
        )[1]
end
{%- endmacro %}

{#- Keys of a usage object, by their several writers. -#}
{% macro usage_scalars() -%}
{{ return([
    "prompt_tokens", "completion_tokens", "input_tokens", "output_tokens", "thinking_tokens", "input", "output", "thinking", "cost",
]) }}
{%- endmacro %}

{#- Sum over usage objects of the first of some keys; null where none has one. What no count can be is missing. -#}
{% macro summed(usages, keys) -%}
list_sum(list_filter(list_transform({{ usages }}, lambda o: coalesce(
    {%- for key in keys %}try_cast(o.{{ key }} as double){{ ', ' if not loop.last }}{% endfor -%}
)), lambda v: isfinite(v) and v between 0 and 1e12))
{%- endmacro %}
