with debates as (
    select * from {{ ref('int_debates') }}
),

panel_rounds as (
    select
        debate_id,
        is_initial,
        n_asked,
        n_parsed,
    from {{ ref('int_panel_rounds') }}
    where has_answers
),

audit as (
    select * from {{ ref('probe_parser_audit') }}
),

probe_lanes as (
    select * from {{ ref('int_probe_lanes') }}
),

questions as (
    select * from {{ ref('int_question_probes') }}
),

debate_side as (
    select
        debates.cohort,
        debates.lane,
        debates.file_key,
        debates.model,
        count(*) filter (panel_rounds.is_initial) as n_rows,
        sum(panel_rounds.n_asked)::bigint as n_answers,
        sum(panel_rounds.n_asked - panel_rounds.n_parsed)::bigint as n_unparsed,
        count(*) filter (panel_rounds.is_initial and panel_rounds.n_parsed < panel_rounds.n_asked) as n_rows_any_initial_unparsed,
        count(*) filter (panel_rounds.is_initial and panel_rounds.n_parsed = 0) as n_rows_no_initial_answer,
    from panel_rounds
    inner join debates using (debate_id)
    group by all
),

-- Means over batteries, from sums that are the same in every order.
row_means as (
    select
        lane_id,
        (sum(sum_of_flip_rates::decimal(28, 12)) / nullif(sum(n_rated), 0))::double as flip_rate,
        (sum(sum_of_upper_rates::decimal(28, 12)) / nullif(sum(n_rated), 0))::double as upper_rate,
        (sum((2 * sum_of_flip_rates - sum_of_upper_rates)::decimal(28, 12)) / nullif(sum(n_rated), 0))::double as subtracted_rate,
    from questions
    group by all
),

probe_side as (
    select
        null::varchar as cohort,
        audit.lane,
        audit.file_key,
        audit.model,
        audit.n_rows,
        audit.n_replies as n_answers,
        audit.n_unparsed,
        audit.n_initial_none as n_rows_any_initial_unparsed,
        audit.n_initial_none as n_rows_no_initial_answer,
        row_means.flip_rate,
        row_means.upper_rate,
        row_means.subtracted_rate,
    from audit
    inner join probe_lanes using (lane)
    left join row_means using (lane_id)
),

losses as (
    select distinct
        cohort,
        lane,
        is_loss_rising,
    from {{ ref('parse_losses') }}
    where profile = 'stored'
),

sides as (
    select
        'debates' as side,
        *,
    from debate_side
    union all by name
    select
        'probes' as side,
        *,
    from probe_side
)

select
    side,
    cohort,
    lane,
    file_key,
    model,
    n_rows,
    n_answers,
    n_unparsed,
    n_unparsed / nullif(n_answers, 0) as unparsed_rate,
    n_rows_any_initial_unparsed,
    n_rows_no_initial_answer,
    flip_rate as alpha_missing_not_revised,
    upper_rate as alpha_missing_as_revised,
    subtracted_rate as alpha_missing_subtracted_no_bound,
    losses.is_loss_rising,
from sides
left join losses using (cohort, lane)
order by side, cohort, lane
