{#- Keys of an evaluation of a verifier (`verifier_eval`), each with one value; what is read of its line. -#}
{% macro evaluation_scalars() -%}
{{ return([
    "run_id", "dataset", "model", "arm", "pair_id", "dataset_index", "phase", "q_key", "generator", "draw", "question_sha256", "p_true",
    "correct", "scored_at", "stage", "pool", "stop",
]) }}
{%- endmacro %}

{#- The same as the shape for one typed parse. -#}
{% macro evaluation_shape() -%}
{%- set shape = {} -%}
{%- for key in evaluation_scalars() %}{% do shape.update({key: "VARCHAR"}) %}{% endfor -%}
{{ tojson(shape) }}
{%- endmacro %}

{#- Kinds of records that the files of the audit become beside evaluations. -#}
{% macro audit_record_kinds() -%}
{{ return([
    "pair", "split", "split_summary", "stage1_matrix", "stage1_search", "stage1_factors", "stage1_complete", "stage2_pair",
    "stage2_generator", "stage2_manifest", "posterior_metrics", "cached_score", "grounded", "grounded_manifest", "training_row",
    "candidate", "candidate_score", "selection",
]) }}
{%- endmacro %}

{#-
    Why an evaluation cannot be staged, and the way out; null if it can. `e` is the parsed line; a value of the wrong type is there as text.
    A probability must be text: a number has lost its last zeros, and perhaps more.
-#}
{% macro evaluation_problem() -%}
case
    {%- for key in ['dataset', 'model', 'pair_id'] %}
    when not coalesce(regexp_matches(e.{{ key }}, '\S'), false) then 'no {{ key }}: give it as text'
    when e.{{ key }}[1] in ('{', '[') then '{{ key }} is an object or a list: give it as text'
    {%- endfor %}
    when e.arm is null then 'no arm: give base, honest, adv or org'
    when e.arm in ('strict', 'adv-wo-qh', 'wo-qh')
        then 'the arm ' || e.arm || ' is not mapped: it is the paper''s adv (standard loss on adversarial transcripts), write adv'
    when e.arm in ('model-organism', 'loose') then 'the arm ' || e.arm || ' is not mapped: it is the paper''s org, write org'
    when e.arm not in ('base', 'honest', 'adv', 'org')
        then 'the arm is none of base, honest, adv, org: write the one it is (the code''s strict is adv, its model-organism is org)'
    when e.phase is null or e.phase not in ('canonical', 'search', 'test')
        then 'phase is none of canonical, search, test: give one of them'
    when e.q_key is null or e.q_key not in ('Q_Y', 'Q_H') then 'q_key is neither Q_Y nor Q_H: give the question that was scored'
    when e.q_key = 'Q_Y' and e.phase <> 'canonical'
        then 'Q_Y in the phase ' || e.phase || ': search and test are about the hidden question, Q_H'
    when e.phase = 'canonical' and nullif(e.generator, '') is not null then 'a canonical evaluation with a generator: leave it out or write null'
    when e.phase = 'canonical' and e.draw is not null then 'a canonical evaluation with a draw: leave it out or write null'
    when e.phase = 'test' and not coalesce(regexp_matches(e.generator, '\S'), false)
        then 'no generator: give the one that wrote the paraphrase'
    when e.phase <> 'canonical' and not coalesce(regexp_matches(e.draw, '^[1-9][0-9]{0,8}$'), false)
        then 'draw is no whole number from 1 to 999999999: give the place of the paraphrase in its file'
    when not coalesce(regexp_matches(e.question_sha256, '^[0-9a-fA-F]{64}$'), false)
        then 'question_sha256 is no SHA-256 (64 hexadecimal digits): give the hash of the question that was scored'
    when e.p_true is null then 'no p_true: an evaluation that was not made is no line'
    when json_type(line, '$.p_true') <> 'VARCHAR'
        then 'p_true is no text: write the probability as text with eight decimals, such as "0.52000000"'
    when not regexp_matches(e.p_true, '^(0\.[0-9]{8}|1\.00000000)$')
        then 'p_true is no probability with eight decimals: write 0. and eight digits, or 1.00000000'
    when e.correct is not null and e.phase <> 'canonical' then 'correct outside the phase canonical: leave it out'
    when e.correct not in ('true', 'false') then 'correct is neither true nor false: give one of them, or null'
    when e.stop not in ('true', 'false') then 'stop is neither true nor false: give one of them, or leave it out'
    when e.stop = 'true' and e.phase <> 'test' then 'stop outside the phase test: leave it out'
    when e.stage not in ('1', '2', 'posterior') then 'stage is none of 1, 2, posterior: give one of them, or leave it out'
    when json_type(line, '$.pool') not in ('VARCHAR', 'NULL') then 'pool is no text: give its name, such as p25, or leave it out'
    when e.pool is not null and e.phase = 'search' then 'pool in the phase search: leave it out, a pair has one search set'
    when e.dataset_index is not null and not regexp_matches(e.dataset_index, '^[0-9]{1,9}$')
        then 'dataset_index is no whole number from 0 up: give the place of the pair in its file'
end
{%- endmacro %}

{#-
    Whether a rejected line may hold texts of the verifier audit. Attack texts are never landed, not even for their being rejected. A line is
    known by its keys, also where it is no JSON; keys with escaped letters hide something.
-#}
{% macro is_of_the_audit() -%}
(
    is_record
    or coalesce(shape_dialect in ('evaluation', 'audit_record'), false)
    or regexp_matches(
        original,
        '"(p_true|pair_id|q_key|Q_Y|Q_H|row_id|item_id|candidate_idx|messages|[a-z_]*transcript|original_qy|paraphrase|story_title|check_text|grounded_[a-z_]*|Debater [AB])"\s*:'
    )
    or regexp_matches(original, '"[A-Za-z_]*\\u00[0-9a-fA-F]{2}[^"]*"\s*:')
)
{%- endmacro %}
