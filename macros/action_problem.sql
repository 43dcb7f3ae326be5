{#-
    Why a line of a policy's actions cannot be staged, and the way out; null if it can. An action is a word (keep, freeze, abstain, defer),
    `answer` or `stop` with a key of its own, or the text `answer B`, `stop after round 2`. What could mean two things is no action.
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
        then
            'action is none of keep, freeze, abstain, defer, answer, stop: give one of them, with nothing behind it but the answer of `answer B`'
            || ' or the round of `stop after round 2`'
    when {{ action_verb('line') }} = 'answer' and {{ action_answer('line') }} is null
        then 'answer without an answer: give it under the key answer, or as the action "answer B"'
    when {{ action_verb('line') }} = 'answer' and {{ action_answer('line') }} <> {{ action_text_answer('line') }}
        then 'two answers: the key answer and the action give different ones, give one'
    when {{ action_verb('line') }} = 'stop' and {{ action_key_round('line') }} is null and json_extract_string(line, '$.round') is not null
        then 'round is no whole number from 0 up: give the number of the last round that is held'
    when {{ action_verb('line') }} = 'stop' and {{ action_round('line') }} is null
        then 'stop without a round: give it under the key round, or as the action "stop after round 2"'
    when {{ action_verb('line') }} = 'stop' and {{ action_round('line') }} <> {{ action_text_round('line') }}
        then 'two rounds: the key round and the action give different ones, give one'
    when json_extract_string(line, '$.split') is not null and json_type(line, '$.split') <> 'VARCHAR'
        then 'split is no text: give the name of the split, such as train or test'
end
{%- endmacro %}

{#- The action as a text without white space around it. -#}
{% macro action_text(line) -%}
trim(json_extract_string({{ line }}, '$.action'))
{%- endmacro %}

{#- What the policy does, as one word; null where it is none of the known ones. -#}
{% macro action_verb(line) -%}
nullif(
    regexp_extract(
        lower({{ action_text(line) }}),
        '^(?:(?:keep|freeze|abstain|defer)$|answer(?:\s+\S.*)?$|stop(?:\s+after)?(?:\s+round)?(?:\s+[0-9]{1,6})?$)'
    ).regexp_extract('^[a-z]+'),
    ''
)
{%- endmacro %}

{#- The answer behind the word `answer`; null without any. -#}
{% macro action_text_answer(line) -%}
nullif(trim(regexp_extract({{ action_text(line) }}, '(?i)^answer\s+(.+)$', 1)), '')
{%- endmacro %}

{#- The answer it gives instead; null without any. -#}
{% macro action_answer(line) -%}
coalesce(nullif(trim(json_extract_string({{ line }}, '$.answer')), ''), {{ action_text_answer(line) }})
{%- endmacro %}

{#- The round behind the word `stop`; null without any. -#}
{% macro action_text_round(line) -%}
try_cast(nullif(regexp_extract(lower({{ action_text(line) }}), '^stop.*\s([0-9]{1,6})$', 1), '') as int)
{%- endmacro %}

{#- The round under its key, a whole number (2.0 too, as data frames write it); null for anything else. -#}
{% macro action_key_round(line) -%}
try_cast(nullif(regexp_extract(json_extract_string({{ line }}, '$.round'), '^\s*([0-9]{1,6})(?:\.0+)?\s*$', 1), '') as int)
{%- endmacro %}

{#- The round after which it stops; null without any. -#}
{% macro action_round(line) -%}
coalesce({{ action_key_round(line) }}, {{ action_text_round(line) }})
{%- endmacro %}

{#- Names of splits that a policy may be tuned on, and of those that it is tested on, in lower case. -#}
{% macro tuning_splits() -%}
('train', 'training', 'tune', 'tuning', 'dev', 'development', 'val', 'valid', 'validation', 'calibration')
{%- endmacro %}
{% macro test_splits() -%}
('test', 'testing', 'eval', 'evaluation', 'heldout', 'held-out', 'held_out', 'holdout', 'hold-out')
{%- endmacro %}
