{{ config(materialized='view') }}

-- Debates that have a cell under a rule at their cohort's endpoint, with what a gate may look at. Undefined debates are not replayed.

with debates as (
    select * from {{ ref('debates') }}
    where cell <> 'undefined'
),

cohorts as (
    select * from {{ ref('int_cohorts') }}
),

trajectories as (
    select * from {{ ref('int_trajectories') }}
),

rules as (
    select * from {{ ref('coding_rules') }}
),

pairs as (
    select * from {{ ref('int_screen_pairs') }}
    where cohort is not null
),

questions as (
    select * from {{ ref('int_question_probes') }}
    where condition = 'default'
),

-- A model that several lanes screen has the mean of their flip rates.
probes as (
    select
        pairs.cohort,
        pairs.model,
        questions.question_id,
        -- Of the panel: the mean over its agents, who may have answered differently many probes.
        (sum((questions.sum_of_flip_rates / questions.n_rated)::decimal(18, 15)) / count(*))::double as question_flip_rate,
    from pairs
    inner join questions using (lane_id)
    where questions.n_rated > 0
    group by all
),

replayed as (
    select
        debates.cohort,
        debates.coding_rule,
        debates.endpoint,
        debates.model,
        debates.lane,
        debates.debate_key,
        debates.question_id,
        debates.initial_state,
        debates.final_state,
        debates.cell,
        -- What a freeze does to the accuracy.
        (debates.initial_state = 'right')::int - (debates.final_state = 'right')::int as sign,
        debates.end_round,
        {{ answer_of_state('debates.final_answer', 'debates.final_state', 'rules.panel_decision') }} as final_answer,
        {{ answer_of_state('debates.initial_answer', 'debates.initial_state', 'rules.panel_decision') }} as initial_answer,
        trajectories.has_answers,
        coalesce(debates.last_round = 0, false) as is_ended_at_start,
        trajectories.n_agents,
        trajectories.initial_one_answer,
        trajectories.initial_agreement_of_parsed,
        -- Under rules that know no alphabetical majority, a tied round changes nothing; the stored rule trusts a stored flag.
        case rules.panel_decision
            when 'plurality' then trajectories.r1_plurality_changed
            when 'normalised' then trajectories.r1_normalised_changed
            -- Letters change by meaning where they change.
            when 'by_kind' then trajectories.r1_normalised_changed
            when 'stored' then coalesce(trajectories.r1_stored_majority_changed, trajectories.r1_majority_changed)
            else trajectories.r1_majority_changed
        end as r1_majority_changed,
        trajectories.r1_one_answer,
        trajectories.r1_n_flipped,
        trajectories.r1_agreement,
        trajectories.r1_agreement_of_parsed,
        probes.question_flip_rate,
    from debates
    inner join cohorts using (cohort, endpoint)
    inner join rules on debates.coding_rule = rules.coding_rule
    inner join trajectories on debates.debate_key = trajectories.debate_key and debates.cohort = trajectories.cohort
    left join probes
        on
            debates.cohort = probes.cohort
            and debates.model = probes.model
            and debates.question_id = probes.question_id
),

told as (
    select
        *,
        -- Null where the source tells no answers and the states agree.
        coalesce(initial_answer <> final_answer, nullif(initial_state <> final_state, false)) as is_changed,
    from replayed
)

select
    *,
    -- Debates that no gate can tell apart share it; a test keeps it unique.
    hash({{ replay_kind_columns() | join(', ') }}) as kind_id,
from told
