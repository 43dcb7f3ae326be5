with pairs as (
    select * from {{ ref('int_screen_pairs') }}
),

totals as (
    select * from {{ ref('int_flip_totals') }}
    where strength = 'all'
),

questions as (
    select * from {{ ref('int_question_probes') }}
),

batteries as (
    select * from {{ ref('int_probe_batteries') }}
),

bootstrap as (
    select * from {{ ref('int_screen_bootstrap') }}
),

ledger as (
    select * from {{ ref('model_ledger') }}
),

debates as (
    select * from {{ ref('int_debates') }}
),

-- The cuts of the replies that the screen is made of, side by side.
cuts as (
    select
        lane,
        {%- for channel in ['solo', 'social'] %}
        {%- for count in ['n_compared', 'n_compared_flip', 'n_initial_right', 'n_initial_wrong', 'n_adv', 'n_cor', 'n_neutral'] %}
        max({{ count }}) filter (condition = 'default' and channel = '{{ channel }}') as {{ channel }}_{{ count }},
        {%- endfor %}
        {%- endfor %}
        max(n_replies) filter (condition = 'all' and channel = 'both') as n_replies,
        max(n_unparsed) filter (condition = 'all' and channel = 'both') as n_unparsed,
    from totals
    group by all
),

channel_rates as (
    select
        *,
        {%- for channel in ['solo', 'social'] %}
        {{ channel }}_n_compared_flip / nullif({{ channel }}_n_compared, 0) as {{ channel }}_flip_rate,
        {{ channel }}_n_adv / nullif({{ channel }}_n_initial_right, 0) as {{ channel }}_adv,
        {{ channel }}_n_cor / nullif({{ channel }}_n_initial_wrong, 0) as {{ channel }}_cor,
        {{ channel }}_n_neutral / nullif({{ channel }}_n_initial_wrong, 0) as {{ channel }}_neutral,
        {%- endfor %}
    from cuts
),

-- Decimals add up the same in every order.
row_means as (
    select
        lane_id,
        sum(n_batteries)::bigint as n_rows,
        count(distinct question_id) as n_questions,
        sum(n_batteries) filter (condition = 'default')::bigint as n_default_rows,
        (
            sum(sum_of_flip_rates::decimal(28, 12)) filter (condition = 'default')
            / nullif(sum(n_batteries) filter (condition = 'default'), 0)
        )::double as default_rows,
        (sum(sum_of_flip_rates::decimal(28, 12)) / nullif(sum(n_batteries), 0))::double as all_rows,
        (sum(sum_of_upper_rates::decimal(28, 12)) / nullif(sum(n_batteries), 0))::double as all_rows_none_as_flip,
        sum(n_replies)::bigint as n_all_replies,
        {%- for name in ['social_sensitivities', 'argument_ranges'] %}
        (
            sum(sum_of_{{ name }}::decimal(28, 12)) filter (condition = 'default')
            / nullif(sum(n_batteries) filter (condition = 'default'), 0)
        )::double as mean_{{ name }},
        {%- endfor %}
        {%- for part in ['solo', 'social', 'weaker', 'stronger', 'weakest', 'strongest'] %}
        sum(n_{{ part }}) filter (condition = 'default')::bigint as n_{{ part }},
        sum(n_{{ part }}_flip) filter (condition = 'default')::bigint as n_{{ part }}_flip,
        {%- endfor %}
    from questions
    group by all
),

lite as (
    select
        lane_id,
        count(*) as n_lite,
        (sum((n_flip / nullif(n_replies, 0))::decimal(18, 15)) / count(*))::double as alpha_lite,
    from batteries
    where condition = 'default' and agent = '0'
    group by all
),

probed as (
    select distinct
        lane_id,
        question_id,
    from questions
),

debated as (
    select distinct
        cohort,
        model,
        question_id,
    from debates
),

debated_counts as (
    select
        cohort,
        model,
        count(*) as n_debate_questions,
    from debated
    group by all
),

-- Pools that hardly meet are nothing to compare question by question.
question_overlaps as (
    select
        pairs.cohort,
        pairs.model,
        pairs.lane_id,
        count(*) as n_shared_questions,
    from pairs
    inner join debated on pairs.cohort = debated.cohort and pairs.model = debated.model
    inner join probed on pairs.lane_id = probed.lane_id and debated.question_id = probed.question_id
    group by all
),

joined as (
    select
        pairs.*,
        channel_rates.* exclude (lane),
        row_means.* exclude (lane_id),
        lite.n_lite,
        lite.alpha_lite,
        bootstrap.* exclude (lane_id, n_questions),
        (channel_rates.solo_flip_rate + channel_rates.social_flip_rate) / 2 as default_channel_mean,
        coalesce(
            pairs.alpha_definition,
            -- Dialects G and J tell no replies, so only the mean over batteries is left.
            if(channel_rates.solo_flip_rate is null or channel_rates.social_flip_rate is null, 'default_rows', null),
            '{{ var("default_alpha_definition") }}'
        ) as definition,
        {{ social_sensitivity('row_means') }} as s_soc,
        {{ argument_sensitivity('row_means') }} as s_arg,
    from pairs
    left join channel_rates using (lane)
    left join row_means using (lane_id)
    left join lite using (lane_id)
    left join bootstrap using (lane_id)
)

select
    joined.lane,
    joined.probe_model,
    joined.probe_family,
    joined.cohort,
    joined.model,
    joined.reason as pair_reason,
    joined.lane_id is null as is_from_published_counts,
    joined.n_rows as n_probe_rows,
    joined.n_questions as n_probe_questions,
    joined.n_all_replies as n_probe_completions,
    joined.n_unparsed as n_probe_unparsed,
    joined.n_unparsed / nullif(joined.n_replies, 0) as parser_none_rate,
    joined.definition as alpha_definition,
    case joined.definition
        {%- for definition in ['default_channel_mean', 'default_rows', 'all_rows'] %}
        when '{{ definition }}' then joined.{{ definition }}
        {%- endfor %}
    end as alpha_tot,
    {%- for bound in ['lower', 'upper'] %}
    case joined.definition
        {%- for definition in ['default_channel_mean', 'default_rows', 'all_rows'] %}
        when '{{ definition }}' then joined.{{ definition }}_{{ bound }}
        {%- endfor %}
    end as alpha_tot_ci_{{ bound }},
    {%- endfor %}
    case joined.definition
        when 'default_channel_mean' then joined.solo_n_compared + joined.social_n_compared
        when 'default_rows' then joined.n_default_rows
        when 'all_rows' then joined.n_rows
    end as alpha_tot_n,
    joined.default_channel_mean as alpha_default_channel_mean,
    joined.default_rows as alpha_default_rows,
    joined.all_rows as alpha_all_rows,
    joined.all_rows_none_as_flip as alpha_none_as_flip,
    joined.alpha_lite,
    joined.n_lite as alpha_lite_n,
    joined.solo_flip_rate,
    joined.solo_n_compared as solo_flip_rate_n,
    joined.social_flip_rate,
    joined.social_n_compared as social_flip_rate_n,
    joined.social_flip_rate - joined.solo_flip_rate as social_lift,
    {%- for part, denominator in [('adv', 'right'), ('cor', 'wrong'), ('neutral', 'wrong')] %}
    (joined.solo_{{ part }} + joined.social_{{ part }}) / 2 as alpha_{{ part }},
    joined.solo_n_{{ part }} + joined.social_n_{{ part }} as n_{{ part }},
    joined.solo_n_initial_{{ denominator }} + joined.social_n_initial_{{ denominator }} as alpha_{{ part }}_n,
    {%- endfor %}
    joined.s_soc as social_sensitivity,
    joined.s_arg as argument_sensitivity,
    {{ sa_ratio('joined.s_soc', 'joined.s_arg') }} as social_argument_ratio,
    joined.sa_question_mean,
    joined.sa_question_mean_lower as sa_question_mean_ci_lower,
    joined.sa_question_mean_upper as sa_question_mean_ci_upper,
    joined.sa_question_mean_n,
    joined.mean_argument_ranges as argument_range,
    joined.mean_social_sensitivities / if(joined.mean_argument_ranges > 0, joined.mean_argument_ranges, null) as sa_row_quotient,
    {{ sa_ratio('joined.mean_social_sensitivities', 'joined.mean_argument_ranges', '1e-3') }} as sa_row_average,
    ln((greatest(joined.mean_social_sensitivities, 0) + 1e-3) / (greatest(joined.mean_argument_ranges, 0) + 1e-3)) as sa_row_log,
    case
        when joined.n_solo_flip = 0 and joined.n_social_flip = 0 then 0
        else
            joined.s_soc
            / nullif({{ part_rate('joined', 'social') }} + {{ part_rate('joined', 'solo') }}, 0)
    end as sa_rate_contrast,
    debated_counts.n_debate_questions,
    if(joined.lane_id is null or joined.cohort is null, null, coalesce(question_overlaps.n_shared_questions, 0)) as n_shared_questions,
    if(joined.lane_id is null, null, coalesce(question_overlaps.n_shared_questions, 0) / debated_counts.n_debate_questions)
        as question_overlap,
    if(joined.lane_id is null, null, coalesce(question_overlaps.n_shared_questions, 0) / debated_counts.n_debate_questions)
    < {{ var('minimum_question_overlap') }} as is_overlap_low,
    ledger.coding_rule,
    ledger.endpoint,
    ledger.n_debates,
    ledger.n_initial_correct,
    ledger.n_collapse,
    ledger.conditional_collapse,
    ledger.conditional_collapse_ci_lower,
    ledger.conditional_collapse_ci_upper,
    ledger.conditional_collapse_n,
    ledger.n_correction,
    ledger.conditional_correction,
    ledger.conditional_correction_ci_lower,
    ledger.conditional_correction_ci_upper,
    ledger.conditional_correction_n,
    ledger.initial_accuracy,
    ledger.final_accuracy,
from joined
left join ledger on joined.cohort = ledger.cohort and joined.model = ledger.model
left join debated_counts on joined.cohort = debated_counts.cohort and joined.model = debated_counts.model
left join question_overlaps
    on joined.cohort = question_overlaps.cohort and joined.model = question_overlaps.model and joined.lane_id = question_overlaps.lane_id
order by joined.lane, joined.cohort, joined.model
