{{ config(materialized='view') }}

with panel_rounds as (
    select * from {{ ref('stg_panel_rounds') }}
),

debates as (
    select * from {{ ref('stg_debates') }}
),

unnested as (
    select
        debate_id,
        round,
        correct_label,
        unnest({{ panel_list('panel') }}) as raw_answer,
        generate_subscripts({{ panel_list('panel') }}, 1) as agent_position,
    from panel_rounds
),

agents as (
    select
        debate_id,
        round,
        {{ answer_label('raw_answer', 'coalesce(strlen(correct_label) = 1, true)') }} as answer,
        raw_answer is null as is_absent,
        agent_position,
    from unnested
)

select
    debates.debate_key,
    agents.round,
    agents.agent_position,
    nullif(agents.answer, '') as answer,
    case
        when agents.is_absent then 'absent'
        when agents.answer = '' then 'unparsed'
        else 'parsed'
    end as answer_state,
    nullif(agents.answer, '') = debates.correct_label as is_correct,
from agents
inner join debates using (debate_id)
