{{ config(materialized='view') }}

-- What each agent said in each round, beside the answer that its line holds. Only debates with texts, all their rounds and agents.

with lines as (
    select
        rowid * 2 as debate_id,
        benchmark,
        from_json(agent_texts, '{{ agent_texts_shape() }}') as said,
    from {{ ref('raw_records') }}
    where agent_texts is not null
),

spoken as (
    select
        debate_id,
        benchmark,
        said.task_kind,
        said.options,
        said.initial_states,
        said.final_states,
        said.round_traces,
        said.round_states,
        said.rounds,
    from lines
),

panels as (
    select * from {{ ref('stg_debate_panels') }}
),

-- The texts under the key that the answers are taken from.
keyed as (
    select
        panels.debate_id,
        spoken.benchmark,
        panels.correct_label,
        panels.is_endpoints_only,
        panels.last_round_number,
        panels.roster,
        panels.names,
        panels.panels,
        spoken.task_kind,
        spoken.options,
        list_prepend(
            spoken.initial_states,
            case coalesce(panels.rounds_key, 'final_states')
                when 'round_traces' then spoken.round_traces
                when 'round_states' then spoken.round_states
                when 'rounds' then spoken.rounds
                when 'final_states' then [spoken.final_states]
            end
        ) as agents,
    from panels
    inner join spoken using (debate_id)
),

rounds as (
    select
        * exclude (panels, agents),
        unnest(range(len(panels))) as place,
        panels as all_panels,
        agents as all_agents,
    from keyed
),

placed as (
    select
        debate_id,
        benchmark,
        correct_label,
        task_kind,
        options,
        place,
        if(place > 0 and is_endpoints_only, last_round_number, place)::integer as round,
        place = len(all_panels) - 1 as is_last,
        {{ panel_list('all_panels[place + 1]') }} as answers,
        -- Texts in the order of the answers.
        case
            when roster is null then list_transform(all_agents[place + 1], lambda s: s.text)
            else list_transform(roster, lambda i: all_agents[place + 1][list_position(names[place + 1], i)].text)
        end as texts,
    from rounds
),

agents as (
    select
        * exclude (answers, texts),
        answers as all_answers,
        texts as all_texts,
        unnest(range(1, greatest(coalesce(len(answers), 0), coalesce(len(texts), 0)) + 1)) as agent_position,
    from placed
)

select
    debate_id,
    place::integer as place,
    round,
    is_last,
    agent_position::integer as agent_position,
    benchmark,
    correct_label,
    task_kind,
    options,
    all_answers[agent_position] is null as is_absent,
    nullif({{ answer_label('all_answers[agent_position]', 'coalesce(strlen(correct_label) = 1, true)') }}, '') as stored_answer,
    all_texts[agent_position] as agent_text,
from agents
