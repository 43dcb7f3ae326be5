with panel_rounds as (
    select
        null::double as tolerance,
        *,
    from {{ ref('int_panel_rounds') }}
    union all by name
    select * from {{ ref('int_joined_rounds') }}
),

endpoints as (
    select * from {{ ref('int_endpoints') }}
)

select
    panel_rounds.debate_id,
    panel_rounds.tolerance,
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
    {%- for decision in decisions() if decision not in ['stored', 'agreement'] %}
    panel_rounds.{{ decision }}_correct,
    panel_rounds.{{ decision }}_unread,
    {%- endfor %}
    {%- for decision in decisions() %}
    panel_rounds.{{ decision }}_tied,
    {%- endfor %}
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
    -- By the end as it is taken here, which may not be that of its round.
    panel_rounds.n_asked > panel_rounds.n_parsed and if(
        if(
            panel_rounds.round = endpoints.endpoint_round,
            coalesce(panel_rounds.stored_correct, panel_rounds.stored_end_correct),
            panel_rounds.stored_end_correct
        ),
        panel_rounds.alphabetical_may_be_wrong,
        panel_rounds.alphabetical_may_be_right
    ) as stored_unread,
    panel_rounds.agreement_unread,
from panel_rounds
inner join endpoints
    on
        (endpoints.endpoint_round is null and panel_rounds.is_last)
        or panel_rounds.round = endpoints.endpoint_round
        or (panel_rounds.is_last and panel_rounds.round < endpoints.endpoint_round)
