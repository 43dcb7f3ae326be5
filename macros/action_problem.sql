{#-
    Why a line of a policy's actions cannot be staged, and the way out; null if it can. An action is a word (keep, freeze, abstain, defer),
    `answer` or `stop` with a key of its own, or the text `answer B`, `stop after round 2`.
-#}
{% macro action_problem() -%}
case
    when not coalesce(regexp_matches(json_extract_string(line, '$.policy'), '\S'), false) or json_type(line, '$.policy') <> 'VARCHAR'
        then 'no policy: give the name of the policy as text'
    when
        not coalesce(regexp_matches(json_extract_string(line, '$.debate_key'), '\S'), false)
        and not (
            coalesce(regexp_matches(json_extract_string(line, '$.lane'), '\S'), false)
            and coalesce(regexp_matches(json_extract_string(line, '$.question_id'), '\S'), false)
        )
        then 'no debate: give debate_key, or lane and question_id'
    when json_type(line, '$.action') <> 'VARCHAR'
        then 'action is no text: keep, freeze, abstain, defer, answer or stop'
    when {{ action_verb('line') }} is null
        then 'action is none of keep, freeze, abstain, defer, answer, stop: give one of them'
    when {{ action_verb('line') }} = 'answer' and {{ action_answer('line') }} is null
        then 'answer without an answer: give it under the key answer, or as the action "answer B"'
    when {{ action_verb('line') }} = 'stop' and {{ action_round('line') }} is null
        then 'stop without a round: give it under the key round, or as the action "stop after round 2"'
end
{%- endmacro %}

{#- What the policy does, as one word; null where it is none of the known ones. -#}
{% macro action_verb(line) -%}
nullif(
    regexp_extract(
        lower(trim(json_extract_string({{ line }}, '$.action'))),
        '^(keep|freeze|abstain|defer|answer|stop)(\s+(after\s+)?(round\s+)?\S.*)?$',
        1
    ),
    ''
)
{%- endmacro %}

{#- The answer it gives instead; null without any. -#}
{% macro action_answer(line) -%}
coalesce(
    nullif(trim(json_extract_string({{ line }}, '$.answer')), ''),
    nullif(trim(regexp_extract(trim(json_extract_string({{ line }}, '$.action')), '(?i)^answer\s+(.+)$', 1)), '')
)
{%- endmacro %}

{#- The round after which it stops; null without any. -#}
{% macro action_round(line) -%}
coalesce(
    try_cast(json_extract_string({{ line }}, '$.round') as int),
    try_cast(nullif(regexp_extract(lower(trim(json_extract_string({{ line }}, '$.action'))), '([0-9]+)$', 1), '') as int)
)
{%- endmacro %}
