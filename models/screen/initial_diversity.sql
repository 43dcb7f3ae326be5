-- What a debate shows before and right after it begins: the free competitors of a probe screen (`ledger_formats` 2.23).

with debates as (
    select * from {{ ref('int_debates') }}
),

panel_rounds as (
    select * from {{ ref('int_panel_rounds') }}
    where has_answers
),

panels as (
    select * from {{ ref('int_panels') }}
),

flips as (
    select * from {{ ref('int_panel_flips') }}
),

starts as (
    select
        panel_rounds.*,
        panels.entropy,
    from panel_rounds
    inner join panels
        on panel_rounds.panel = panels.panel and panel_rounds.correct_label is not distinct from panels.correct_label
    where panel_rounds.is_initial
),

features as (
    select
        stg_round_features.*,
        stg_round_features.line_id * 2 as debate_id,
    from {{ ref('stg_round_features') }} as stg_round_features
),

matrix_starts as (
    select
        debate_id,
        has_agreement,
    from {{ ref('int_panel_rounds') }}
    where is_initial and has_answers is distinct from true
),

ends as (
    select
        debate_id,
        majority,
    from panel_rounds
    where is_last
),

first_rounds as (
    select
        panel_rounds.debate_id,
        panel_rounds.round,
        panel_rounds.majority,
        flips.n_flipped as n_flipped_from_initial,
    from panel_rounds
    -- Without a row where the names of the agents do not meet.
    left join flips
        on
            panel_rounds.panel = flips.panel
            and panel_rounds.initial_panel = flips.earlier_panel
            and panel_rounds.correct_label is not distinct from flips.correct_label
            and panel_rounds.are_initial_agents_met
    where panel_rounds.round = 1
),

trace_debates as (
    select
        debates.cohort,
        debates.model,
        debates.family,
        starts.n_agents,
        starts.n_distinct > 1 as has_disagreement,
        starts.n_distinct = 1 and starts.n_parsed = starts.n_agents as is_unanimous,
        starts.entropy,
        (starts.n_leading / nullif(starts.n_parsed, 0))::decimal(18, 15) as margin,
        coalesce(starts.alphabetical_correct, false) as is_initial_correct,
        coalesce(starts.majority <> ends.majority, false) as has_majority_flip,
        -- The replay leaves out debates without a first or a last majority.
        starts.majority is not null and ends.majority is not null and first_rounds.round is not null as is_usable,
        -- A panel without a majority has not changed it.
        coalesce(first_rounds.majority <> starts.majority, false) as majority_changed_from_initial,
        first_rounds.n_flipped_from_initial,
    from debates
    inner join starts using (debate_id)
    inner join ends using (debate_id)
    left join first_rounds using (debate_id)
),

-- A feature matrix knows whether a panel disagrees and what round 1 changed, but neither its votes nor, unless every agreement is a number
-- of thirds, how many agents there are.
matrix_debates as (
    select
        debates.cohort,
        debates.model,
        debates.family,
        if(matrix_starts.has_agreement, 3, null) as n_agents,
        not features.initial_unanimous as has_disagreement,
        null::boolean as is_unanimous,
        null::decimal(18, 15) as entropy,
        null::decimal(18, 15) as margin,
        features.initial_correct as is_initial_correct,
        null::boolean as has_majority_flip,
        features.r1_majority_changed is not null as is_usable,
        features.r1_majority_changed as majority_changed_from_initial,
        features.r1_n_flipped_from_initial as n_flipped_from_initial,
    from debates
    inner join features using (debate_id)
    inner join matrix_starts using (debate_id)
),

joined as (
    select
        *,
        true as has_answers,
    from trace_debates
    union all
    select
        *,
        false as has_answers,
    from matrix_debates
),

counted as (
    select
        cohort,
        model,
        family,
        has_answers,
        count(*) as n_debates,
        count(*) filter (has_disagreement) as n_disagreement,
        count(*) filter (is_unanimous) as n_unanimous,
        sum((entropy / nullif(log2(n_agents), 0))::decimal(18, 15)) as sum_of_entropies,
        sum(margin) as sum_of_margins,
        count(*) filter (is_initial_correct) as n_initial_correct,
        count(*) filter (is_initial_correct and has_disagreement) as n_at_risk_disagreement,
        count(*) filter (has_majority_flip) as n_majority_flip,
        count(*) filter (is_usable) as n_usable,
        count(*) filter (is_usable and has_disagreement) as n_usable_disagreement,
        count(*) filter (is_usable and majority_changed_from_initial) as n_r1_majority_changed,
        count(*) filter (is_usable and n_flipped_from_initial is null) as n_r1_flips_unknown,
        count(*) filter (is_usable and n_flipped_from_initial > 0) as n_r1_any_flip,
        sum(n_flipped_from_initial) filter (is_usable)::bigint as n_r1_flipped_agents,
        if(
            bool_and(n_agents is not null) filter (is_usable and n_flipped_from_initial is not null),
            sum(n_agents) filter (is_usable and n_flipped_from_initial is not null),
            null
        )::bigint as n_r1_agents,
    from joined
    group by all
)

select
    cohort,
    model,
    family,
    has_answers,
    n_debates,
    n_disagreement,
    n_disagreement / n_debates as initial_disagreement_rate,
    if(has_answers, n_unanimous, null) as n_unanimous,
    if(has_answers, n_unanimous / n_debates, null) as initial_unanimity_rate,
    if(has_answers, (coalesce(sum_of_entropies, 0) / n_debates)::double, null) as initial_entropy,
    if(has_answers, (coalesce(sum_of_margins, 0) / n_debates)::double, null) as mean_initial_margin,
    n_initial_correct,
    n_at_risk_disagreement,
    n_at_risk_disagreement / nullif(n_initial_correct, 0) as at_risk_disagreement_rate,
    if(has_answers, n_majority_flip, null) as n_majority_flip,
    if(has_answers, n_majority_flip / n_debates, null) as majority_flip_rate,
    n_usable,
    n_usable_disagreement,
    n_usable_disagreement / nullif(n_usable, 0) as usable_disagreement_rate,
    n_r1_majority_changed,
    n_r1_majority_changed / nullif(n_usable, 0) as r1_majority_changed_rate,
    n_r1_flips_unknown,
    n_r1_any_flip,
    n_r1_any_flip / nullif(n_usable - n_r1_flips_unknown, 0) as r1_any_flip_rate,
    n_r1_flipped_agents,
    n_r1_agents,
    n_r1_flipped_agents / nullif(n_r1_agents, 0) as r1_flipped_agents_rate,
from counted
order by cohort, model, has_answers
