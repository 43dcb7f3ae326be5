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
    our_n_items is not null as has_rows,
    coalesce(n_manifests, 0) as n_manifests,
    {%- for name in counts %}
    coalesce(our_n_{{ name }}, 0) as n_{{ name }},
    adjudications.n_{{ name }} as n_{{ name }}_stated,
    {%- endfor %}
    our_n_gold / nullif(our_n_items, 0) as gold_tier_fraction,
    adjudications.gold_tier_fraction as gold_tier_fraction_stated,
    our_chars_min as chars_min,
    adjudications.chars_min as chars_min_stated,
    our_chars_median as chars_median,
    adjudications.chars_median as chars_median_stated,
    our_chars_max as chars_max,
    adjudications.chars_max as chars_max_stated,
    case
        when our_n_items is not null and adjudications.n_items is not null
            then
                {%- for name in counts %}
                our_n_{{ name }} is not distinct from adjudications.n_{{ name }} and
                {%- endfor %}
                our_chars_min is not distinct from adjudications.chars_min
                and our_chars_median is not distinct from adjudications.chars_median
                and our_chars_max is not distinct from adjudications.chars_max
    end as manifest_agrees,
    case
        when adjudications.n_items is not null
            then coalesce(
                adjudications.n_items = adjudications.n_resolved + adjudications.n_unresolved
                and adjudications.n_resolved = adjudications.n_blind + adjudications.n_gold
                and adjudications.n_resolved = adjudications.n_winner_a + adjudications.n_winner_b,
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
