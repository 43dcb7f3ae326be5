{%- set read_at = [
    ('debate', 'line', record_scalars() + feature_keys() + baseline_methods() + [
        'initial_answers', 'final_answers', 'initial_states', 'final_states', 'round_traces', 'round_states', 'rounds', 'outcome',
        'standard_debate', 'abc_debate', 'alpha', 'alpha_estimation', 'standard_correct', 'shielded_correct', 'usage',
        'task_kind', 'options',
    ]),
    ('debate', 'agent', ['agent_id', 'answer', 'usage'] + text_keys()),
    ('debate', 'round', ['round', 'answers', 'majority', 'majority_changed']),
    ('probe', 'line', battery_scalars() + [
        'question_id', 'benchmark', 'category', 'correct_label', 'answer', 'gold', 'model', 'model_name', 'openrouter_model_id',
        'model_id', 'backend', 'timestamp', 'total_cost', 'agents', 'probe_results', 'usage', 'initial_usage', 'initial_tokens',
        'provider_resolved',
    ]),
    ('probe', 'reply', reply_scalars() + ['usage']),
    ('action', 'line', [
        'policy', 'debate_key', 'lane', 'question_id', 'action', 'answer', 'round', 'score', 'split', 'weight_collapse', 'weight_correction',
    ]),
    ('canonical', 'line', [
        'schema', 'task_kind', 'no_key', 'agents', 'options', 'coder', 'source_format', 'source_file', 'source_record', 'source_line',
    ]),
    ('canonical', 'agent', ['round_num', 'model', 'rule', 'carried', 'reasoning']),
    ('canonical', 'reply', ['rule', 'reasoning']),
    ('evaluation', 'line', evaluation_scalars() + ['record', 'order_probs', 'source_file', 'source_sha256']),
] %}

with lines as (
    select * from {{ ref('raw_lines') }}
),

records as (
    select
        rowid as line_id,
        kind,
        keys,
    from {{ ref('raw_records') }}
    where kind in ('debate', 'probe', 'action', 'evaluation')
),

read_keys as (
    {%- for kind, place, keys in read_at %}
    select
        '{{ kind }}' as kind,
        '{{ place }}' as place,
        unnest(['{{ keys | join("', '") }}']) as unread_key,
    {{ 'union all' if not loop.last }}
    {%- endfor %}
),

-- Lines of one writer share their keys, so there are few different sets.
key_sets as (
    select
        lines.file_key,
        lines.dialect,
        records.kind,
        -- Lines of `ledger import` have keys that tell where they come from: known, though no column reads them.
        {{ holds_any_key(['schema']) }} and {{ holds_any_key(['source_record']) }} as is_canonical,
        records.keys,
        count(*) as n_lines,
    from records
    inner join lines using (line_id)
    group by all
),

each_place as (
    select
        file_key,
        dialect,
        kind,
        is_canonical,
        row_number() over () as set_number,
        n_lines,
        unnest(
            [
                {'place': 'line', 'keys': json_extract(keys, '$[0]')},
                {'place': 'agent', 'keys': json_extract(keys, '$[1]')},
                {'place': 'round', 'keys': json_extract(keys, '$[2]')},
                {'place': 'agent', 'keys': json_extract(keys, '$[3]')},
                {'place': 'reply', 'keys': json_extract(keys, '$[4]')}
            ]
        ) as found,
    from key_sets
),

each_key as (
    select
        file_key,
        dialect,
        kind,
        is_canonical,
        set_number,
        n_lines,
        found.place,
        unnest(list_transform(from_json(found.keys, '["VARCHAR"]'), lambda k: {{ published_name('k') }})) as unread_key,
    from each_place
),

-- An agent's keys are looked at in the initial and in the first round: one count per set of keys.
per_set as (
    select
        file_key,
        dialect,
        kind,
        is_canonical,
        set_number,
        place,
        unread_key,
        max(n_lines) as n_lines,
    from each_key
    group by all
)

select
    file_key,
    dialect,
    place,
    unread_key,
    sum(n_lines)::bigint as n_lines,
from per_set
anti join read_keys
    on
        (per_set.kind = read_keys.kind or (per_set.is_canonical and read_keys.kind = 'canonical'))
        and per_set.place = read_keys.place
        and per_set.unread_key = read_keys.unread_key
group by all
