-- Adjudications of a teacher, by data set, mode and part: a count of the rows beside what the manifest states.

{%- set counts = ['items', 'resolved', 'unresolved', 'blind', 'gold', 'winner_a', 'winner_b', 'verified_a', 'verified_b'] %}

with adjudications as (
    select * from {{ ref('int_stored_adjudications') }}
)

select
    cohort,
    directory,
    dataset,
    mode,
    split,
    n_items is not null as has_rows,
    coalesce(n_manifests, 0) as n_manifests,
    {%- for name in counts %}
    coalesce(adjudications.n_{{ name }}, 0) as n_{{ name }},
    n_{{ name }}_stated,
    {%- endfor %}
    adjudications.n_gold / nullif(adjudications.n_items, 0) as gold_tier_fraction,
    gold_tier_fraction_stated,
    chars_min,
    chars_min_stated,
    chars_median,
    chars_median_stated,
    chars_max,
    chars_max_stated,
    case
        when adjudications.n_items is not null and n_items_stated is not null
            then not (
                {%- for name in counts %}
                adjudications.n_{{ name }} is distinct from n_{{ name }}_stated or
                {%- endfor %}
                chars_min is distinct from chars_min_stated
                or chars_median is distinct from chars_median_stated
                or chars_max is distinct from chars_max_stated
            )
    end as manifest_agrees,
    case
        when n_items_stated is not null
            then coalesce(
                n_items_stated = n_resolved_stated + n_unresolved_stated
                and n_resolved_stated = n_blind_stated + n_gold_stated
                and n_resolved_stated = n_winner_a_stated + n_winner_b_stated,
                false
            )
    end as manifest_adds_up,
    coalesce(n_repeated, 0) as n_repeated,
    coalesce(n_hashes, 0) as n_hashes,
    coalesce(n_hash_mismatches, 0) as n_hash_mismatches,
    coalesce(n_length_mismatches, 0) as n_length_mismatches,
    coalesce(n_failure_mismatches, 0) as n_failure_mismatches,
from adjudications
order by cohort, directory, dataset, mode, split
