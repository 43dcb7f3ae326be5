-- Adjudications of one file and the manifest beside it: counts of the rows, and as …_stated those of the manifest.

with manifests as (
    select
        *,
        count(*) over same_place as n_manifests,
    from {{ ref('stg_audit_adjudication_manifests') }}
    window same_place as (partition by cohort, directory, dataset, mode, split)
    -- A copy of a manifest in its directory is not counted twice.
    qualify row_number() over (same_place order by file_id, line_number) = 1
),

adjudications as (
    select * from {{ ref('stg_audit_adjudications') }}
),

counted as (
    select
        cohort,
        directory,
        dataset,
        mode,
        split,
        count(*) as n_items,
        count(*) filter (status = 'resolved') as n_resolved,
        count(*) filter (status is distinct from 'resolved') as n_unresolved,
        {%- for name, condition in [
            ('blind', "teacher_tier = 'blind'"), ('gold', "teacher_tier = 'gold'"),
            ('winner_a', "winner_debater = 'A'"), ('winner_b', "winner_debater = 'B'"),
            ('verified_a', 'verified_a'), ('verified_b', 'verified_b'),
        ] %}
        count(*) filter (status = 'resolved' and {{ condition }}) as n_{{ name }},
        {%- endfor %}
        min(analysis_chars) filter (status = 'resolved') as chars_min,
        median(analysis_chars) filter (status = 'resolved') as chars_median,
        max(analysis_chars) filter (status = 'resolved') as chars_max,
        count(*) - count(distinct pair_id) as n_repeated,
        count(analysis_hash_matches) as n_hashes,
        count(*) filter (not analysis_hash_matches) as n_hash_mismatches,
        count(*) filter (not chars_match) as n_length_mismatches,
        -- Each attempt before the one that resolved has failed.
        count(*) filter (status = 'resolved' and n_failures is distinct from teacher_attempt) as n_failure_mismatches,
    from adjudications
    group by all
)

select
    coalesce(counted.cohort, manifests.cohort) as cohort,
    coalesce(counted.directory, manifests.directory) as directory,
    coalesce(counted.dataset, manifests.dataset) as dataset,
    coalesce(counted.mode, manifests.mode) as mode,
    coalesce(counted.split, manifests.split) as split,
    manifests.file_key,
    manifests.line_number,
    manifests.n_manifests,
    {%- for name in [
        'n_items', 'n_resolved', 'n_unresolved', 'n_blind', 'n_gold', 'n_winner_a', 'n_winner_b', 'n_verified_a', 'n_verified_b',
        'chars_min', 'chars_median', 'chars_max', 'gold_tier_fraction',
    ] %}
    manifests.{{ name }} as {{ name }}_stated,
    {%- endfor %}
    counted.* exclude (cohort, directory, dataset, mode, split),
from counted
full join manifests using (cohort, directory, dataset, mode, split)
