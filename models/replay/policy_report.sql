-- The reporting checklist for every policy that landed (paper, E.8): what is there, and what is missing.

with actions as (
    select * from {{ ref('int_action_matches') }}
    where cohort is not null
    -- An ambiguous line is one line, however many debates it may mean.
    qualify row_number() over (partition by cohort, file_id, line_number order by matched_key) = 1
),

policies as (
    select * from {{ ref('replay') }}
    where source = 'landed'
),

cohorts as (
    select * from {{ ref('int_cohorts') }}
),

own as (
    select policies.*
    from policies
    inner join cohorts using (cohort, coding_rule)
),

given as (
    select
        cohort,
        policy,
        count(*) as n_actions,
        count(*) filter (problem is not null) as n_problems,
        count(score) as n_scores,
        count(split) as n_splits,
        count(*) filter (is_tuning) as n_tuning,
        count(*) filter (starts_with(problem, 'tuned on its own test')) as n_tuned_on_test,
        count(*) filter (weight_collapse > 0 and weight_correction > 0) as n_weights,
        min(weight_collapse) as weight_collapse,
        min(weight_correction) as weight_correction,
        count(distinct concat_ws('/', weight_collapse, weight_correction)) as n_different_weights,
    from actions
    group by all
),

outcomes as (
    select * from {{ ref('int_action_outcomes') }}
    where outcome <> 'abstained'
),

debates as (
    select * from {{ ref('int_replay_debates') }}
),

-- Does its score rank the debates that collapse: Mann-Whitney with mid-ranks.
ranked as (
    select
        cohort,
        policy,
        coding_rule,
        cell = 'collapse' as is_collapse,
        fires,
        rank() over (partition by cohort, policy, coding_rule order by score)
        + (count(*) over (partition by cohort, policy, coding_rule, score) - 1) / 2 as mid_rank,
    from {{ ref('int_action_outcomes') }}
    where outcome is not null and score is not null
),

scores as (
    select
        cohort,
        policy,
        coding_rule,
        count(*) filter (is_collapse) as n_scored_collapse,
        count(*) filter (not is_collapse) as n_scored_other,
        count(*) filter (fires) as n_scored_alarms,
        count(*) filter (not fires) as n_scored_keeps,
        (sum(mid_rank) filter (is_collapse) - n_scored_collapse * (n_scored_collapse + 1) / 2)
        / nullif(n_scored_collapse * n_scored_other, 0) as score_auc,
    from ranked
    group by all
),

-- The round-1 gate and no debate at all, on the very debates that the policy answers.
baselines as (
    select
        outcomes.cohort,
        outcomes.policy,
        outcomes.coding_rule,
        count(*) filter (debates.r1_majority_changed is not null or debates.is_ended_at_start) as n_with_round_1,
        coalesce(sum(debates.sign) filter (debates.r1_majority_changed), 0)::bigint as r1_net,
        sum(debates.sign)::bigint as always_net,
    from outcomes
    inner join debates using (cohort, coding_rule, debate_key)
    group by all
),

facts as (
    select
        own.*,
        given.* exclude (cohort, policy),
        baselines.n_with_round_1,
        baselines.r1_net,
        baselines.always_net,
        scores.score_auc,
        coalesce(scores.n_scored_alarms, 0) as n_scored_alarms,
        coalesce(scores.n_scored_keeps, 0) as n_scored_keeps,
        scores.n_scored_collapse + scores.n_scored_other as n_scored,
        {{ net_utility(
            'given.weight_collapse / given.weight_correction', 'own.n_prevented - own.n_broken', 'own.n_lost + own.n_lost_undecided - own.n_gained',
            'own.n_answered'
        ) }} as own_utility_points,
    from own
    inner join given using (cohort, policy)
    left join scores using (cohort, policy, coding_rule)
    left join baselines using (cohort, policy, coding_rule)
),

items as (
    {%- for item, condition, detail in [
        ('actions', 'n_problems = 0',
            "n_actions || ' actions: ' || n_problems || ' with a problem (table action_problems), ' || n_tuning || ' on tuning splits'"),
        ('transition table', 'n_debates > 0',
            "n_prevented || ' collapses prevented and ' || n_lost || ' corrections lost of ' || n_debates || ' debates, '"
            ~ " || n_debates - n_answered || ' of them not answered'"),
        ('every debate has an action', 'n_undecidable = 0', "n_undecidable || ' debates of the cohort are not decided'"),
        ('risk measurement', 'n_scores = n_actions',
            "n_scores || ' of ' || n_actions || ' actions have a score'"
            ~ " || coalesce('; its AUC for collapse is ' || round(score_auc, 3) || ' over ' || n_scored || ' debates', '')"),
        ('diagnostics kept apart', 'n_scored_alarms > 0 and n_scored_keeps > 0',
            "'scores of ' || n_scored_alarms || ' alarms and of ' || n_scored_keeps || ' debates that it keeps; table replay_by_model has its alarms'"),
        ('splits are stated', 'n_splits = n_actions', "n_splits || ' of ' || n_actions || ' actions name their split'"),
        ('tuning and test are disjoint', 'n_tuned_on_test = 0 and n_splits = n_actions',
            "if(n_splits < n_actions, 'not every action names its split', '')"
            ~ " || if(n_splits < n_actions and n_tuned_on_test > 0, '; ', '')"
            ~ " || if(n_splits = n_actions or n_tuned_on_test > 0, n_tuned_on_test || ' actions on questions of both', '')"),
        ('weights are stated', 'n_weights = n_actions and n_different_weights = 1',
            "case when n_weights < n_actions then n_weights || ' of ' || n_actions || ' actions have two weights above 0'"
            ~ " when n_different_weights > 1 then n_different_weights || ' different pairs of weights'"
            ~ " else 'collapse ' || weight_collapse || ' to correction ' || weight_correction || ': net utility '"
            ~ " || coalesce(round(own_utility_points, 2) || ' points', 'of no debate') end"),
        ('weight ladder', 'n_answered > 0',
            "'table weight_ladder; ' || case when break_even_weight is null then 'no break-even weight: it prevents no more collapses than it causes'"
            ~ " when break_even_weight = 0 then 'it pays at every weight' else 'break-even at ' || round(break_even_weight, 2) end"),
        ('interval over questions', 'accuracy_change_ci_lower is not null', "coalesce(n_questions, 0) || ' questions'"),
        ('baseline: standard debate', 'n_answered > 0', "'net ' || net || ' against 0'"),
        ('baseline: round-1 gate', 'n_with_round_1 = n_answered',
            "'net ' || net || ' against ' || r1_net || ' of the gate on the same debates'"),
    ] %}
    select
        cohort,
        policy,
        coding_rule,
        {{ loop.index }} as item_number,
        '{{ item }}' as item,
        coalesce({{ condition }}, false) as is_present,
        coalesce({{ detail }}, 'no action counts') as detail,
    from facts
    {{ 'union all' if not loop.last }}
    {%- endfor %}
)

select * from items
order by cohort, policy, item_number
