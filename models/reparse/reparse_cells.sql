with debates as (
    select * from {{ ref('int_debates') }}
),

bases as (
    select * from {{ ref('int_reparse_bases') }}
),

counts as (
    select * from {{ ref('int_reparse_cell_counts') }}
),

profiles as (
    {%- for profile in coder_profiles() %}
    select '{{ profile }}' as profile
    {{ 'union all' if not loop.last }}
    {%- endfor %}
),

texts as (
    select distinct debate_id from {{ ref('int_coded_answers') }}
    where has_text
),

models as (
    select
        debates.cohort,
        debates.model,
        debates.family,
        count(*) as n_debates,
        count(texts.debate_id) as n_debates_with_text,
    from debates
    left join texts using (debate_id)
    group by all
),

listed as (
    select
        models.cohort,
        models.model,
        models.family,
        bases.basis,
        bases.coding_rule,
        bases.panel_decision,
        bases.endpoint,
        profiles.profile,
        models.n_debates,
        models.n_debates_with_text,
        counts.* exclude (cohort, model, family, basis, profile),
    from models
    inner join bases using (cohort)
    cross join profiles
    left join counts
        on
            models.cohort = counts.cohort
            and models.model = counts.model
            and models.family = counts.family
            and bases.basis = counts.basis
            and profiles.profile = counts.profile
            and counts.n_rows > 0
)

select
    listed.cohort,
    listed.model,
    listed.family,
    listed.basis,
    listed.coding_rule,
    listed.panel_decision,
    listed.endpoint,
    listed.profile,
    case
        when listed.n_rows > 0 then null
        when listed.n_debates_with_text = 0 then 'no text in this source'
        else 'no debate with a key has texts at start and end that this profile reads'
    end as reason,
    listed.n_debates,
    listed.n_debates_with_text,
    coalesce(listed.n_rows, 0) as n_rows,
    listed.n_without_key,
    listed.n_incomplete,
    listed.n_labelled,
    listed.n_kept,
    listed.n_changed,
    {{ rate_columns('listed', reparse_cell_rates()) }}
    {%- for cell in ['collapse', 'correction'] %}
    listed.n_{{ cell }}_changed,
    {%- endfor %}
    {%- for cell in transition_cells() %}
    listed.n_primary_{{ cell }},
    {%- endfor %}
    {%- for cell in ['collapse', 'correction'] %}
    listed.n_primary_{{ cell }}_unlabelled,
    {%- endfor %}
    {%- for cell in transition_cells() %}
    listed.n_{{ cell }},
    {%- endfor %}
from listed
{{ rate_joins('listed', reparse_cell_rates(), ref('int_reparse_intervals')) }}
order by listed.cohort, listed.model, listed.family, listed.basis, listed.profile
