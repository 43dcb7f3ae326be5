-- Candidate transcripts by what became of them (R18).

{#- Candidates that are written per item and condition. -#}
{%- set per_item = 8 %}
{%- set gates = [
    'total', 'no_score', 'drop_score', 'drop_leakage', 'drop_quote_audit', 'safe', 'survivors', 'qy_fallback_eligible',
    'qy_fallback_unusable', 'drop_qy_gate',
] %}
{%- set statuses = ['ok', 'qy_fallback', 'no_adv_survivor', 'no_honest_survivor', 'no_survivor'] %}

with items as (
    select * from {{ ref('candidate_selections') }}
)

select
    cohort,
    dataset,
    condition,
    count(*) as n_items,
    sum(n_candidates)::bigint as n_candidates,
    sum(n_candidates) = {{ per_item }} * count(*) as candidates_are_complete,
    sum(n_scored)::bigint as n_scored,
    sum(n_right)::bigint as n_right,
    count(*) filter (n_selections > 0) as n_selections,
    count(*) filter (n_selections > 1) as n_items_repeated,
    {%- for gate in gates %}
    sum({{ gate }})::bigint as n_{{ gate }},
    {%- endfor %}
    {%- for status in statuses %}
    count(*) filter (status = '{{ status }}') as n_status_{{ status }},
    {%- endfor %}
    count(*) filter (
        n_selections > 0
        {%- for status in statuses %}
        and status is distinct from '{{ status }}'
        {%- endfor %}
    ) as n_status_other,
    count(*) filter (branch = 'primary') as n_primary,
    count(*) filter (branch = 'fallback') as n_fallback,
    count(*) filter (n_selections > 0 and stored_candidate_idx is null) as n_without_candidate,
    {%- for rule in ['both', 'paper', 'code', 'within the gates', 'neither', 'unknown'] %}
    count(*) filter (follows_rule = '{{ rule }}') as n_follows_{{ rule | replace(' ', '_') }},
    {%- endfor %}
    bool_and(gates_add_up) as gates_add_up,
    bool_and(gates_match_scores) as gates_match_scores,
    sum(total) = sum(n_candidates) filter (total is not null) as totals_match_candidates,
    count(*) filter (n_selections = 1) = count(*) as every_item_is_selected_once,
from items
group by all
order by cohort, dataset, condition
