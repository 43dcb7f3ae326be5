{{ config(materialized='view') }}

with panel_rounds as (
    select * from {{ ref('stg_panel_rounds') }}
),

debates as (
    select * from {{ ref('stg_debates') }}
),

agents as (
    select
        debate_id,
        round,
        unnest(answers) as answer,
        generate_subscripts(answers, 1) as agent_position,
    from panel_rounds
)

select
    debates.debate_key,
    agents.round,
    agents.agent_position,
    nullif(agents.answer, '') as answer,
    case
        when agents.answer is null then 'absent'
        when agents.answer = '' then 'unparsed'
        else 'parsed'
    end as answer_state,
    nullif(agents.answer, '') = debates.correct_label as is_correct,
from agents
inner join debates using (debate_id)
