{%- set read_at = {
    'line': record_scalars() + feature_keys() + baseline_methods() + [
        'initial_answers', 'final_answers', 'initial_states', 'final_states', 'round_traces', 'round_states', 'rounds', 'outcome',
        'standard_debate', 'abc_debate',
    ],
    'agent': ['agent_id', 'answer'],
    'round': ['round', 'answers', 'majority', 'majority_changed'],
} %}

with lines as (
    select * from {{ ref('raw_lines') }}
),

records as (
    select
        rowid as line_id,
        keys,
    from {{ ref('raw_records') }}
    where kind = 'debate'
),

read_keys as (
    {%- for place, keys in read_at.items() %}
    {%- set last_place = loop.last %}
    {%- for key in keys %}
    select
        '{{ place }}' as place,
        '{{ key }}' as unread_key,
    {{ 'union all' if not (last_place and loop.last) }}
    {%- endfor %}
    {%- endfor %}
),

-- Lines of one writer share their keys, so there are few different sets.
key_sets as (
    select
        lines.file_key,
        lines.dialect,
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
        row_number() over () as set_number,
        n_lines,
        unnest(
            [
                {'place': 'line', 'keys': json_extract(keys, '$[0]')},
                {'place': 'agent', 'keys': json_extract(keys, '$[1]')},
                {'place': 'round', 'keys': json_extract(keys, '$[2]')},
                {'place': 'agent', 'keys': json_extract(keys, '$[3]')}
            ]
        ) as found,
    from key_sets
),

each_key as (
    select
        file_key,
        dialect,
        set_number,
        n_lines,
        found.place,
        unnest(from_json(found.keys, '["VARCHAR"]')) as unread_key,
    from each_place
),

-- An agent's keys are looked at in the initial and in the first round: one count per set of keys.
per_set as (
    select
        file_key,
        dialect,
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
anti join read_keys using (place, unread_key)
group by all
