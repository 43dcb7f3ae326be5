with panel_rounds as (
    select * from {{ ref('int_panel_rounds') }}
),

endpoints as (
    select * from {{ ref('int_endpoints') }}
)

select
    panel_rounds.debate_id,
    endpoints.endpoint,
    panel_rounds.round as end_round,
    -- Stopped before the endpoint: its last round stands for it.
    coalesce(panel_rounds.round < endpoints.endpoint_round, false) as carried_forward,
    panel_rounds.is_last,
    panel_rounds.majority,
    panel_rounds.normalised_majority,
    panel_rounds.stored_majority,
    panel_rounds.stored_final_majority,
    panel_rounds.n_parsed,
    panel_rounds.n_leaders,
    panel_rounds.leaders_hold_gold,
    panel_rounds.has_agreement,
    panel_rounds.alphabetical_correct,
    panel_rounds.alphabetical_stored_final_correct,
    panel_rounds.plurality_correct,
    panel_rounds.normalised_correct,
    -- At the end of the debate its line has the last word; a named round speaks for itself where it can.
    if(
        panel_rounds.round = endpoints.endpoint_round,
        coalesce(panel_rounds.stored_correct, panel_rounds.stored_end_correct),
        panel_rounds.stored_end_correct
    ) as stored_correct,
    if(
        panel_rounds.round = endpoints.endpoint_round,
        coalesce(panel_rounds.agreement_correct, panel_rounds.agreement_end_correct),
        panel_rounds.agreement_end_correct
    ) as agreement_correct,
from panel_rounds
inner join endpoints
    on
        (endpoints.endpoint_round is null and panel_rounds.is_last)
        or panel_rounds.round = endpoints.endpoint_round
        or (panel_rounds.is_last and panel_rounds.round < endpoints.endpoint_round)
