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
    inner join flips
        on
            panel_rounds.panel = flips.panel
            and panel_rounds.initial_panel = flips.earlier_panel
            and panel_rounds.correct_label is not distinct from flips.correct_label
    where panel_rounds.round = 1
),

joined as (
    select
        debates.cohort,
        debates.model,
        debates.family,
        starts.n_agents,
        starts.n_distinct,
        starts.n_parsed,
        starts.n_leading,
        starts.entropy,
        starts.alphabetical_correct,
        -- The replay leaves out debates without a first or a last majority.
        starts.majority is not null and ends.majority is not null as is_usable,
        coalesce(starts.majority <> ends.majority, false) as has_majority_flip,
        first_rounds.round is not null as has_first_round,
        -- A panel without a majority has not changed it.
        coalesce(first_rounds.majority <> starts.majority, false) as majority_changed_from_initial,
        first_rounds.n_flipped_from_initial,
    from debates
    inner join starts using (debate_id)
    inner join ends using (debate_id)
    left join first_rounds using (debate_id)
),

counted as (
    select
        cohort,
        model,
        family,
        count(*) as n_debates,
        count(*) filter (n_distinct > 1) as n_disagreement,
        count(*) filter (n_distinct = 1 and n_parsed = n_agents) as n_unanimous,
        sum((entropy / nullif(log2(n_agents), 0))::decimal(18, 15)) as sum_of_entropies,
        sum((n_leading / nullif(n_parsed, 0))::decimal(18, 15)) as sum_of_margins,
        count(*) filter (alphabetical_correct) as n_initial_correct,
        count(*) filter (alphabetical_correct and n_distinct > 1) as n_at_risk_disagreement,
        count(*) filter (has_majority_flip) as n_majority_flip,
        count(*) filter (is_usable and has_first_round) as n_usable,
        count(*) filter (is_usable and has_first_round and n_distinct > 1) as n_usable_disagreement,
        count(*) filter (is_usable and majority_changed_from_initial) as n_r1_majority_changed,
        count(*) filter (is_usable and n_flipped_from_initial > 0) as n_r1_any_flip,
        sum(n_flipped_from_initial) filter (is_usable)::bigint as n_r1_flipped_agents,
        sum(n_agents) filter (is_usable and has_first_round)::bigint as n_r1_agents,
    from joined
    group by all
)

select
    cohort,
    model,
    family,
    n_debates,
    n_disagreement,
    n_disagreement / n_debates as initial_disagreement_rate,
    n_unanimous,
    n_unanimous / n_debates as initial_unanimity_rate,
    (coalesce(sum_of_entropies, 0) / n_debates)::double as initial_entropy,
    (coalesce(sum_of_margins, 0) / n_debates)::double as mean_initial_margin,
    n_initial_correct,
    n_at_risk_disagreement,
    n_at_risk_disagreement / nullif(n_initial_correct, 0) as at_risk_disagreement_rate,
    n_majority_flip,
    n_majority_flip / n_debates as majority_flip_rate,
    n_usable,
    n_usable_disagreement / nullif(n_usable, 0) as usable_disagreement_rate,
    n_r1_majority_changed,
    n_r1_majority_changed / nullif(n_usable, 0) as r1_majority_changed_rate,
    n_r1_any_flip,
    n_r1_any_flip / nullif(n_usable, 0) as r1_any_flip_rate,
    n_r1_flipped_agents / nullif(n_r1_agents, 0) as r1_flipped_agents_rate,
from counted
order by cohort, model
