with lanes as (
    select * from {{ ref('int_cohort_lanes') }}
    where is_included
),

counts as (
    select * from {{ ref('int_reparse_agreement_counts') }}
),

debates as (
    select * from {{ ref('int_debates') }}
),

texts as (
    select distinct debate_id from {{ ref('int_coded_answers') }}
    where has_text
),

-- Lanes with texts of another kind than the profile reads have debates with text all the same.
lane_debates as (
    select
        debates.cohort,
        debates.lane,
        count(*) as n_debates,
        count(texts.debate_id) as n_debates_with_text,
    from debates
    left join texts using (debate_id)
    group by all
),

profiles as (
    {%- for profile in coder_profiles() %}
    select '{{ profile }}' as profile
    {{ 'union all' if not loop.last }}
    {%- endfor %}
),

sources as (
    select
        lanes.cohort,
        lanes.lane,
        lanes.file_key,
        lanes.model,
        profiles.profile,
        lane_debates.n_debates,
        lane_debates.n_debates_with_text,
    from lanes
    cross join profiles
    inner join lane_debates using (cohort, lane)
),

sourced as (
    select
        sources.* exclude (n_debates, n_debates_with_text),
        coalesce(counts.coder_rule, 'all') as coder_rule,
        -- Once per lane and profile, so that they can be summed.
        if(coalesce(counts.coder_rule, 'all') = 'all', sources.n_debates, null) as n_debates,
        if(coalesce(counts.coder_rule, 'all') = 'all', sources.n_debates_with_text, null) as n_debates_with_text,
        coalesce(counts.n_slots, 0) as n_slots,
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
        when sourced.n_debates_with_text > 0 then 'this profile does not read answers of this kind'
        else 'no text in this source'
    end as reason,
    sourced.n_debates,
    sourced.n_debates_with_text,
    sourced.n_slots,
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
