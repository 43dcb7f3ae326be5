{{ config(materialized='view') }}

-- Every round under every rule, for a close look; the marts go the shorter way over the start and the end.

with panel_rounds as (
    select * from {{ ref('int_panel_rounds') }}
),

rules as (
    select
        *,
        if(final_decision = 'same', panel_decision, 'alphabetical_stored_final') as end_decision,
    from {{ ref('coding_rules') }}
),

starts as (
    select * from {{ ref('int_debate_starts') }}
),

decided as (
    select
        panel_rounds.debate_id,
        panel_rounds.round,
        rules.coding_rule,
        rules.undecided_panel,
        panel_rounds.has_gold,
        if(rules.panel_decision in ('stored', 'agreement'), panel_rounds.stored_majority, panel_rounds.majority) as answer,
        case rules.end_decision
            {%- for decision in decisions() %}
            when '{{ decision }}' then panel_rounds.{{ decision }}_correct
            {%- endfor %}
        end as decision,
    from panel_rounds
    inner join starts using (debate_id)
    inner join rules
        on
            (rules.panel_decision in ('alphabetical', 'plurality') and starts.has_answers)
            or (rules.panel_decision = 'stored' and starts.has_stored)
            or (rules.panel_decision = 'agreement' and starts.has_agreement)
)

select
    debate_id,
    round,
    coding_rule,
    answer,
    case
        when not has_gold then null
        when decision then 'right'
        when decision is null and undecided_panel <> 'wrong' then 'undecided'
        else 'wrong'
    end as state,
from decided
