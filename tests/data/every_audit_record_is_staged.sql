-- A record of the verifier audit that no staging model of its kind has, or that one has twice.

{%- set staged = {
    'pair': 'stg_audit_pairs',
    'split': 'stg_audit_splits',
    'split_summary': 'stg_audit_split_summaries',
    'stage1_matrix': 'stg_stored_matrices',
    'stage1_search': 'stg_stored_searches',
    'stage1_factors': 'stg_stored_factors',
    'stage1_complete': 'stg_stored_analyses',
    'stage2_pair': 'stg_stored_bounds',
    'stage2_generator': 'stg_stored_paths',
    'stage2_manifest': 'stg_stored_manifests',
    'posterior_metrics': 'stg_stored_metrics',
    'cached_score': 'stg_audit_cached_scores',
    'grounded': 'stg_audit_adjudications',
    'grounded_manifest': 'stg_audit_adjudication_manifests',
    'training_row': 'stg_audit_training_rows',
    'candidate': 'stg_audit_candidates',
    'candidate_score': 'stg_audit_candidate_scores',
    'selection': 'stg_audit_selections',
} %}

with lines as (
    select * from {{ ref('raw_lines') }}
    where kind = 'audit_record'
),

-- Every kind that lands has a model here: a new one without a model leaves its lines unstaged, and the test fails on them.
staged as (
    {%- for record, model in staged.items() %}
    select
        '{{ record }}' as record,
        file_key,
        line_number,
    from {{ ref(model) }}
    {{ 'union all' if not loop.last }}
    {%- endfor %}
)

select
    lines.file_key,
    lines.line_number,
    count(staged.record) as n_rows,
from lines
left join staged using (file_key, line_number)
group by all
having count(staged.record) <> 1
