with lanes as (
    select * from {{ ref('int_cohort_lanes') }}
    where is_included
),

counts as (
    select * from {{ ref('int_reparse_agreement_counts') }}
),

-- Lanes with texts of another kind than the profile reads have slots all the same.
texts as (
    select distinct
        debates.cohort,
        debates.lane,
    from {{ ref('int_debates') }} as debates
    inner join {{ ref('int_coded_answers') }} as slots using (debate_id)
    where slots.has_text
),

profiles as (
    select unnest(['{{ coder_profiles() | join("', '") }}']) as profile
),

sources as (
    select
        lanes.cohort,
        lanes.lane,
        lanes.file_key,
        lanes.model,
        profiles.profile,
        texts.lane is not null as has_texts,
    from lanes
    cross join profiles
    left join texts using (cohort, lane)
),

sourced as (
    select
        sources.*,
        coalesce(counts.coder_rule, 'all') as coder_rule,
        counts.n_slots,
        if(counts.coder_rule = 'all', counts.n_slots_without_text, null) as n_slots_without_text,
        counts.n_slots_default_options,
        counts.n_equal,
        counts.n_differ,
        counts.n_only_stored,
        counts.n_only_coded,
        counts.n_neither,
        counts.n_disagree,
    from sources
    left join counts using (cohort, lane, profile)
)

select
    sourced.cohort,
    sourced.lane,
    sourced.file_key,
    sourced.model,
    sourced.profile,
    sourced.coder_rule,
    case
        when sourced.n_slots > 0 then null
        when sourced.has_texts then 'this profile does not read answers of this kind'
        else 'no text in this source'
    end as reason,
    coalesce(sourced.n_slots, 0) as n_slots,
    sourced.n_slots_without_text,
    sourced.n_slots_default_options,
    sourced.n_equal,
    sourced.n_differ,
    sourced.n_only_stored,
    sourced.n_only_coded,
    sourced.n_neither,
    sourced.n_disagree,
    {{ rate_columns('sourced', reparse_agreement_rates()) }}
from sourced
{{ rate_joins('sourced', reparse_agreement_rates(), ref('int_reparse_intervals')) }}
order by sourced.cohort, sourced.lane, sourced.profile, sourced.coder_rule
