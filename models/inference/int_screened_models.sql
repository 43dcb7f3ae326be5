-- Model rows of the landed cohorts that a probe lane screens: what may go with conditional collapse, and what it goes with.
{%- set rates = [
    ('alpha_tot', 'alpha_tot'), ('alpha_default', 'alpha_default_channel_mean'), ('alpha_none_as_flip', 'alpha_none_as_flip'), ('alpha_lite', 'alpha_lite'),
    ('alpha_adv', 'alpha_adv'), ('alpha_cor', 'alpha_cor'), ('solo_flip_rate', 'solo_flip_rate'), ('social_flip_rate', 'social_flip_rate'),
    ('social_lift', 'social_lift'), ('social_argument_ratio', 'social_argument_ratio'),
] %}

with screens as (
    select * from {{ ref('screen') }}
    where n_debates is not null and alpha_tot is not null
),

diversity as (
    select * from {{ ref('initial_diversity') }}
),

families as (
    select * from {{ ref('models') }}
),

-- A model that several lanes screen is one row, with the mean of their flip rates; never across definitions of alpha_tot.
screened as (
    select
        cohort,
        model,
        alpha_definition,
        {%- for variable, column in rates %}
        (sum({{ column }}::decimal(18, 15)) / count({{ column }}))::double as {{ variable }},
        {%- endfor %}
        -- Definitions over batteries count batteries, of eight replies each.
        sum(if(alpha_definition = 'default_channel_mean', alpha_tot_n, 8 * alpha_tot_n))::bigint as n_replies,
        min(n_initial_correct) as n_initial_correct,
        min(n_collapse) as n_collapse,
        min(conditional_collapse) as conditional_collapse,
        min(conditional_correction) as conditional_correction,
        min(n_debates) as n_debates,
        min(initial_accuracy) as initial_accuracy,
        min(final_accuracy) as final_accuracy,
    from screens
    group by all
),

-- Debates with answers and those of feature matrices are two rows there; the one with more debates speaks for the model.
shown as (
    select * from diversity
    qualify row_number() over (partition by cohort, model order by n_debates desc, has_answers desc) = 1
)

select
    screened.cohort,
    screened.alpha_definition,
    screened.model,
    coalesce(families.family, 'unassigned') as family,
    {%- for variable, _ in rates %}
    screened.{{ variable }},
    {%- endfor %}
    screened.n_replies,
    screened.n_initial_correct,
    screened.n_collapse,
    screened.initial_accuracy,
    screened.final_accuracy,
    100 * screened.conditional_collapse as conditional_collapse_percent,
    100 * screened.conditional_correction as conditional_correction_percent,
    100 * screened.n_collapse / nullif(screened.n_debates, 0) as raw_collapse_percent,
    shown.majority_flip_rate as revision,
    shown.initial_disagreement_rate as initial_disagreement,
    shown.initial_unanimity_rate as initial_unanimity,
    shown.initial_entropy,
    shown.at_risk_disagreement_rate as at_risk_disagreement,
    shown.r1_majority_changed_rate as r1_majority_change,
from screened
left join shown on screened.cohort = shown.cohort and screened.model = shown.model
left join families on screened.model = families.model
