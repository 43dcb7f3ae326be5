-- Published probe values beside what their published inputs give, and what cannot be checked since its inputs are not published.

with totals as (
    select * from {{ ref('int_flip_totals') }}
    where strength = 'all' and lane like 'published counts / %'
),

screens as (
    select * from {{ ref('screen') }}
    where is_from_published_counts
),

per_model as (
    select * from {{ ref('published_alpha_split_per_model') }}
),

sealed as (
    select * from {{ ref('published_sealed_rows') }}
),

dropped as (
    select * from {{ ref('published_drop_very_strong') }}
),

bounds as (
    select * from {{ ref('published_alpha_missing_bounds') }}
),

parser_audit as (
    select * from {{ ref('published_parser_audit_probes') }}
),

panel as (
    select * from {{ ref('published_r5_panel_questions') }}
),

panel_summary as (
    select * from {{ ref('published_r5_summary') }}
),

panel_sums as (
    select
        sum(post_answer_none)::bigint as n_unparsed,
        sum(8 * n_repeats)::bigint as n_replies,
    from panel
),

manipulation as (
    select * from {{ ref('int_published_manipulation') }}
),

published_diversity as (
    select * from {{ ref('published_initial_diversity') }}
),

diversity as (
    select * from {{ ref('initial_diversity') }}
    where cohort = 'post_a6' and has_answers
),

table16 as (
    select * from {{ ref('published_table16_sealed') }}
),

screened as (
    select
        *,
        replace(lane, 'published counts / ', '') as published_model,
    from screens
),

cuts as (
    select
        *,
        replace(lane, 'published counts / ', '') as published_model,
    from totals
),

checks as (
    {%- for column, channel, rate in [
        ('alpha_total_nonsocial', 'solo', 'n_compared_flip / n_compared'),
        ('alpha_adv_nonsocial', 'solo', 'n_adv / n_initial_right'),
        ('alpha_cor_nonsocial', 'solo', 'n_cor / n_initial_wrong'),
        ('alpha_neutral_nonsocial', 'solo', 'n_neutral / n_initial_wrong'),
        ('alpha_total_social', 'social', 'n_compared_flip / n_compared'),
        ('alpha_adv_social', 'social', 'n_adv / n_initial_right'),
        ('alpha_cor_social', 'social', 'n_cor / n_initial_wrong'),
    ] %}
    select
        'published_alpha_split_per_model' as source,
        per_model.model as published_row,
        '{{ column }}' as statistic,
        per_model.{{ column }} as published,
        cuts.{{ rate | replace(' / ', ' / cuts.') }} as recomputed,
        1e-12 as tolerance,
        null as remark,
    from per_model
    inner join cuts
        on per_model.model = cuts.published_model and cuts.condition = 'default' and cuts.channel = '{{ channel }}'
    union all
    {%- endfor %}
    {%- for column, ours in [('alpha_total', 'alpha_tot'), ('alpha_adv', 'alpha_adv'), ('alpha_cor', 'alpha_cor')] %}
    select
        'published_sealed_rows' as source,
        sealed.model as published_row,
        '{{ column }}' as statistic,
        sealed.{{ column }} as published,
        screened.{{ ours }} as recomputed,
        1e-12 as tolerance,
        'mean of solo and social, default condition, unparsed dropped' as remark,
    from sealed
    inner join screened on sealed.model = screened.published_model
    union all
    {%- endfor %}
    {%- for column, formula in [
        ('t24_sa_orig', sa_ratio('t24_s', 't24_a', '1e-3')),
        ('t24_sa_log', 'ln((greatest(t24_s, 0) + 1e-3) / (greatest(t24_a, 0) + 1e-3))'),
    ] %}
    select
        'published_sealed_rows' as source,
        model as published_row,
        '{{ column }}' as statistic,
        {{ column }} as published,
        {{ formula }} as recomputed,
        1e-12 as tolerance,
        'from its own s and a, with an epsilon of 1e-3; the paper says 1e-6' as remark,
    from sealed
    union all
    {%- endfor %}
    {%- for column, ours in [
        ('initial_disagreement_rate', 'initial_disagreement_rate'),
        ('initial_unanimity_rate', 'initial_unanimity_rate'),
        ('initial_entropy_norm', 'initial_entropy'),
        ('at_risk_initial_disagreement_rate', 'at_risk_disagreement_rate'),
        ('majority_flip_rate', 'majority_flip_rate'),
        ('mean_initial_majority_margin', 'mean_initial_margin'),
        ('replay_initial_disagreement_rate', 'usable_disagreement_rate'),
        ('replay_any_r1_flip_rate', 'r1_any_flip_rate'),
        ('replay_r1_flip_frac', 'r1_flipped_agents_rate'),
        ('replay_r1_majority_changed_rate', 'r1_majority_changed_rate'),
    ] %}
    select
        'published_initial_diversity' as source,
        published_diversity.model as published_row,
        '{{ column }}' as statistic,
        published_diversity.{{ column }} as published,
        diversity.{{ ours }} as recomputed,
        1e-9 as tolerance,
        'from the debates of cohort post_a6, where they are landed' as remark,
    from published_diversity
    left join diversity on published_diversity.model = diversity.model
    union all
    {%- endfor %}
    -- Flips over all trials: solo flips of the cells, with the unparsed trials back in the denominator.
    select
        'published_drop_very_strong' as source,
        dropped.model as published_row,
        'orig_alpha_total' as statistic,
        dropped.orig_alpha_total as published,
        cuts.n_compared_flip / dropped.orig_n_probe as recomputed,
        1e-12 as tolerance,
        'default solo flips of the cells over every trial, an unparsed reply is no flip' as remark,
    from dropped
    inner join cuts on dropped.model = cuts.published_model and cuts.condition = 'default' and cuts.channel = 'solo'
    union all
    select
        'published_drop_very_strong' as source,
        dropped.model as published_row,
        'orig_alpha_adv' as statistic,
        dropped.orig_alpha_adv as published,
        cuts.n_adv / dropped.orig_n_adv as recomputed,
        1e-12 as tolerance,
        'adverse flips of the cells over every trial that starts right' as remark,
    from dropped
    inner join cuts on dropped.model = cuts.published_model and cuts.condition = 'default' and cuts.channel = 'solo'
    union all
    select
        'published_drop_very_strong' as source,
        dropped.model as published_row,
        'orig_alpha_cor_anychange' as statistic,
        dropped.orig_alpha_cor_anychange as published,
        (cuts.n_cor + cuts.n_neutral) / dropped.orig_n_cor as recomputed,
        1e-12 as tolerance,
        'any change of a wrong start, not only the corrective one' as remark,
    from dropped
    inner join cuts on dropped.model = cuts.published_model and cuts.condition = 'default' and cuts.channel = 'solo'
    union all
    select
        'published_drop_very_strong' as source,
        model as published_row,
        'drop_alpha_total' as statistic,
        drop_alpha_total as published,
        null as recomputed,
        null as tolerance,
        'the published cells do not tell strengths apart' as remark,
    from dropped
    union all
    select
        'published_alpha_missing_bounds' as source,
        model as published_row,
        'none_as_flip_alpha' as statistic,
        none_as_flip_alpha as published,
        current_alpha + n_post_answer_none / n_probe_trials as recomputed,
        1e-12 as tolerance,
        'an unparsed reply counted as a flip' as remark,
    from bounds
    union all
    select
        'published_alpha_missing_bounds' as source,
        model as published_row,
        'none_as_no_flip_alpha' as statistic,
        none_as_no_flip_alpha as published,
        current_alpha as recomputed,
        1e-12 as tolerance,
        'the current value counts an unparsed reply as no flip already; the published one subtracts it once more' as remark,
    from bounds
    union all
    select
        'published_alpha_missing_bounds' as source,
        model as published_row,
        'none_rate' as statistic,
        none_rate as published,
        n_post_answer_none / n_probe_trials as recomputed,
        1e-12 as tolerance,
        null as remark,
    from bounds
    union all
    select
        'published_parser_audit_probes' as source,
        file as published_row,
        'probe_trials' as statistic,
        probe_trials as published,
        8 * n_rows as recomputed,
        0 as tolerance,
        'eight probes a row' as remark,
    from parser_audit
    union all
    -- What needs the row of each repeat cannot be recomputed.
    select
        'published_r5_panel_questions' as source,
        'all questions' as published_row,
        panel_summary.statistic,
        panel_summary.value as published,
        if(panel_summary.statistic = 'none_rate', panel_sums.n_unparsed / panel_sums.n_replies, null) as recomputed,
        1e-12 as tolerance,
        if(
            panel_summary.statistic = 'none_rate',
            panel_sums.n_unparsed || ' of ' || panel_sums.n_replies,
            'needs the row of each repeat'
        ) as remark,
    from panel_summary
    cross join panel_sums
    union all
    {%- for column, condition in [('fr_default', 'default'), ('fr_antisocial', 'anti_social'), ('fr_antiargument', 'anti_argument')] %}
    select
        'published_channel_manipulation' as source,
        manipulation.model as published_row,
        '{{ column }}' as statistic,
        manipulation.{{ column }} as published,
        cuts.n_compared_flip / (8 * manipulation.n_records / 3) as recomputed,
        -- A third of the records is only about the number under one condition.
        0.0025 as tolerance,
        'flips of the cells over eight probes a record, a third of the records per condition' as remark,
    from manipulation
    inner join cuts on manipulation.model = cuts.published_model and cuts.condition = '{{ condition }}' and cuts.channel = 'both'
    union all
    {%- endfor %}
    select
        'published_channel_manipulation' as source,
        model as published_row,
        'strict_order' as statistic,
        strict_order as published,
        (fr_antisocial < fr_default and fr_default < fr_antiargument)::integer as recomputed,
        0 as tolerance,
        'from the printed means' as remark,
    from manipulation
    union all
    select
        'published_channel_manipulation' as source,
        model as published_row,
        'holm_significant' as statistic,
        holm_significant as published,
        is_significant::integer as recomputed,
        0 as tolerance,
        'Holm over the sixteen printed p' as remark,
    from manipulation
    union all
    {%- for column in ['d_aa_minus_as', 'p'] %}
    select
        'published_channel_manipulation' as source,
        model as published_row,
        '{{ column }}' as statistic,
        {{ column }} as published,
        null as recomputed,
        null as tolerance,
        'needs the batteries of each question and agent' as remark,
    from manipulation
    union all
    {%- endfor %}
    select
        'published_table16_sealed' as source,
        table16.model as published_row,
        'probe_alpha' as statistic,
        table16.probe_alpha as published,
        screened.alpha_tot as recomputed,
        0.0005 as tolerance,
        'the table prints the solo rate of the default condition (' || round(screened.solo_flip_rate, 3)
        || '), table 22 the mean of solo and social' as remark,
    from table16
    inner join screened on table16.model = screened.published_model
    where table16.probe_alpha is not null
    union all
    select
        'published_table16_sealed' as source,
        table16.model as published_row,
        'debate_fr' as statistic,
        table16.debate_fr as published,
        manipulation.fr_default as recomputed,
        0.0005 as tolerance,
        'printed as a flip rate of debates; equal to the default flip rate of probes in table 20 where the two agree' as remark,
    from table16
    inner join manipulation on table16.model = manipulation.model
    union all
    select
        'published_table16_sealed' as source,
        table16.model as published_row,
        'probe_alpha as the solo rate' as statistic,
        table16.probe_alpha as published,
        screened.solo_flip_rate as recomputed,
        0.0006 as tolerance,
        'default condition, unparsed dropped' as remark,
    from table16
    inner join screened on table16.model = screened.published_model
    where table16.probe_alpha is not null
    union all
    select
        'published_table16_sealed' as source,
        table16.model as published_row,
        'sign of sa' as statistic,
        sign(table16.sa) as published,
        sign(sealed.t24_sa_orig) as recomputed,
        0 as tolerance,
        'table 16 (' || table16.sa || ', question level) against the S/A check from row averages (' || round(sealed.t24_sa_orig, 3) || ')'
            as remark,
    from table16
    inner join sealed on table16.model = sealed.model
    where table16.sa is not null
)

select
    source,
    published_row,
    statistic,
    published::double as published,
    recomputed::double as recomputed,
    case
        when recomputed is null then 'inputs unpublished'
        when abs(published - recomputed) <= tolerance then 'follows'
        else 'does not follow'
    end as status,
    remark,
from checks
