-- Model rows as published, since their debates and probes are not public. Each cohort is a set of rows that the study tests together.

with n14 as (
    select * from {{ ref('published_model_rows_n14') }}
),

extended as (
    select * from {{ ref('published_model_rows_extended') }}
),

sealed as (
    select * from {{ ref('published_sealed_rows') }}
),

collapse as (
    select * from {{ ref('published_conditional_collapse') }}
),

dropped as (
    select * from {{ ref('published_drop_very_strong') }}
),

holdouts as (
    select * from {{ ref('published_holdouts') }}
),

diversity as (
    select * from {{ ref('published_initial_diversity') }}
),

bounds as (
    select * from {{ ref('published_alpha_missing_bounds') }}
),

lanes as (
    select * from {{ ref('published_partial_lanes') }}
),

reasoning as (
    select * from {{ ref('published_reasoning_rows') }}
),

traits as (
    select * from {{ ref('model_traits') }}
),

names as (
    select * from {{ ref('published_probe_models') }}
),

families as (
    select * from {{ ref('models') }}
),

fourteen as (
    select
        'published n14' as cohort,
        n14.model,
        n14.family,
        n14.alpha_tot_4dp as alpha_tot,
        n14.alpha_default_condition as alpha_default,
        -- The later rows count an unparsed reply as no flip; the sealed ones leave it out.
        coalesce(bounds.current_alpha + bounds.n_post_answer_none / bounds.n_probe_trials, n14.alpha_tot_4dp) as alpha_none_as_flip,
        n14.alpha_lite_agent0_default as alpha_lite,
        n14.social_flip_rate,
        n14.social_lift,
        -- Replies behind the later rows; the study takes 1,200 for the sealed ones, which have more (its README, point 26).
        coalesce(bounds.n_probe_trials, 1200) as n_replies,
        n14.n_init_correct as n_initial_correct,
        n14.n_collapse,
        n14.n_init_correct / n14.n_debates as initial_accuracy,
        (n14.n_init_correct - n14.n_collapse + n14.n_correction) / n14.n_debates as final_accuracy,
        100 * n14.n_collapse / n14.n_init_correct as conditional_collapse_percent,
        100 * n14.n_correction / n14.n_init_wrong as conditional_correction_percent,
        100 * n14.n_collapse / n14.n_debates as raw_collapse_percent,
        n14.debate_revision_proxy as revision,
        {%- for lane in ['deepseek-v4-flash', 'qwen3.5-4b', 'qwen3.5-9b', 'qwen3.6-27b-fp8', 'qwen3.6-35b-a3b-fp8'] %}
        if(n14.model = '{{ lane }}', lanes.imputed_alpha_tot, n14.alpha_tot_4dp) as "alpha_imputed_{{ lane }}",
        {%- endfor %}
    from n14
    left join bounds on n14.model = bounds.model
    left join lanes on n14.model = lanes.model
),

fifteen as (
    select
        cohort,
        model,
        family,
        alpha_tot,
        n_initial_correct,
        n_collapse,
        initial_accuracy,
        conditional_collapse_percent,
    from fourteen
    union all by name
    select
        'qwen3-32b' as model,
        'Qwen' as family,
        alpha_tot,
        init_correct as n_initial_correct,
        collapses as n_collapse,
        init_correct / n_debates as initial_accuracy,
        100 * collapses / init_correct as conditional_collapse_percent,
    from holdouts
    where model = 'qwen3-32b-a7-n200'
),

counted as (
    select
        names.model,
        families.family,
        collapse.* exclude (model, family),
        collapse.n_init_correct / collapse.n_debates as initial_accuracy,
    from collapse
    inner join names on collapse.model = names.published_model
    inner join families on names.model = families.model
),

nine as (
    select
        'published sealed 9' as cohort,
        names.model,
        counted.family,
        sealed.alpha_total as alpha_tot,
        -- The flip rates and the order of the rows that its noise was drawn with.
        sealed.alpha_hat_hier as alpha_drawn,
        sealed.draw_order,
        sealed.alpha_adv,
        sealed.alpha_cor,
        dropped.orig_alpha_total as solo_flip_rate,
        dropped.drop_alpha_total as solo_flip_rate_without_very_strong,
        {{ sa_ratio('sealed.t24_s', 'sealed.t24_a', '1e-3') }} as social_argument_ratio,
        ln((greatest(sealed.t24_s, 0) + 1e-3) / (greatest(sealed.t24_a, 0) + 1e-3)) as social_argument_log_ratio,
        1200 as n_replies,
        sealed.n_init_correct as n_initial_correct,
        sealed.n_collapse,
        counted.initial_accuracy,
        100 * sealed.n_collapse / sealed.n_init_correct as conditional_collapse_percent,
        counted.debate_fr as debate_flip_rate,
    from sealed
    inner join names on sealed.model = names.published_model
    inner join counted on names.model = counted.model
    left join dropped on sealed.model = dropped.model
),

eleven as (
    select
        'published sealed 11' as cohort,
        model,
        family,
        n_init_correct as n_initial_correct,
        n_collapse,
        initial_accuracy,
        100 * n_collapse / n_init_correct as conditional_collapse_percent,
        100 * n_correction / n_init_wrong as conditional_correction_percent,
        100 * n_collapse / n_debates as raw_collapse_percent,
        debate_fr as debate_flip_rate,
        sa as social_argument_ratio,
    from counted
),

six as (
    select
        'published later six' as cohort,
        model,
        family,
        alpha_tot,
        c_cond_pct as conditional_collapse_percent,
        initial_disagreement_rate as initial_disagreement,
        initial_unanimity_rate as initial_unanimity,
        initial_entropy_norm as initial_entropy,
        at_risk_initial_disagreement_rate as at_risk_disagreement,
        replay_r1_majority_changed_rate as r1_majority_change,
    from diversity
),

extension as (
    select
        'published extension' as cohort,
        model,
        family,
        alpha_tot,
        c_cond_pct as conditional_collapse_percent,
        init_acc as initial_accuracy,
        n_collapse,
        n_init_correct as n_initial_correct,
    from extended
    union all by name
    select
        'published extension, superseded' as cohort,
        model,
        family,
        superseded_alpha_tot as alpha_tot,
        superseded_c_cond_pct as conditional_collapse_percent,
    from extended
),

reasoners as (
    select * from traits
    where trait = 'reasoning' and has_trait
),

-- Reasoning rows beside the fourteen's rows that do not reason.
not_reasoning as (
    select
        model,
        family,
        conditional_collapse_percent,
    from fourteen
    anti join reasoners using (model)
),

reasoning_sets as (
    {%- for name, sets in [('five', "'clean5'"), ('six', "'clean5', 'initial_excluded'")] %}
    select
        'published reasoning, {{ name }}' as cohort,
        reasoning.model,
        families.family,
        reasoning.c_cond_pct as conditional_collapse_percent,
    from reasoning
    left join families on reasoning.model = families.model
    where reasoning.row_set in ({{ sets }})
    union all
    select
        'published reasoning, {{ name }}' as cohort,
        *,
    from not_reasoning
    {{ 'union all' if not loop.last }}
    {%- endfor %}
)

select * from fourteen
union all by name
select * replace ('published n15' as cohort) from fifteen
union all by name
select * from nine
union all by name
select * from eleven
union all by name
select * from six
union all by name
select * from extension
union all by name
select * from reasoning_sets
