{{ config(materialized='view') }}

-- Completions, tokens and money of every debate and probe battery, with the lane that it belongs to.

with debates as (
    select * from {{ ref('stg_debates') }}
),

lanes as (
    select * from {{ ref('int_lanes') }}
),

batteries as (
    select * from {{ ref('stg_probe_rows') }}
),

probe_lanes as (
    select * from {{ ref('int_probe_lanes') }}
),

usage as (
    select * from {{ ref('stg_usage') }}
),

-- Who was asked in every round; null where a round between start and end is not recorded.
asked as (
    select
        debate_id,
        if(bool_and(follows_recorded_round), sum(n_asked), null)::bigint as n_completions,
    from {{ ref('int_panel_rounds') }}
    group by debate_id
),

debate_units as (
    select
        'debate' as kind,
        lanes.lane,
        lanes.file_key,
        lanes.model,
        lanes.family,
        debates.question_id,
        asked.n_completions,
        -- A line of two arms has one usage for both.
        if(debates.arm is null, if(usage.is_whole_line, asked.n_completions, usage.n_usage), null) as n_usage,
        if(debates.arm is null, usage.input_tokens, null) as input_tokens,
        if(debates.arm is null, usage.output_tokens, null) as output_tokens,
        if(debates.arm is null, usage.thinking_tokens, null) as thinking_tokens,
        -- A total of 0 gives way to what the completions say (ledger_formats 2.32).
        coalesce(nullif(debates.total_cost, 0), if(debates.arm is null, usage.usage_cost, null), debates.total_cost) as cost,
    from debates
    inner join lanes
        on
            {{ of_lane('debates', 'lanes') }}
    left join asked using (debate_id)
    left join usage on debates.debate_id // 2 = usage.line_id
),

probe_units as (
    select
        'probe' as kind,
        probe_lanes.lane,
        probe_lanes.file_key,
        probe_lanes.model,
        probe_lanes.family,
        batteries.question_id,
        -- The first answer and the replies.
        (1 + coalesce(nullif(batteries.n_replies, 0), batteries.stored_n_replies))::bigint as n_completions,
        if(
            usage.is_whole_line, 1 + coalesce(nullif(batteries.n_replies, 0), batteries.stored_n_replies), usage.n_usage
        )::bigint as n_usage,
        usage.input_tokens,
        usage.output_tokens,
        usage.thinking_tokens,
        coalesce(nullif(batteries.cost, 0), usage.usage_cost, batteries.cost) as cost,
    from batteries
    inner join probe_lanes
        on batteries.file_id = probe_lanes.file_id and batteries.stored_model is not distinct from probe_lanes.stored_model
    left join usage on batteries.battery_id // 1000000 = usage.line_id and batteries.dialect in ('H', 'I', 'K')
),

-- No cost is below 0, and an answer that was asked for again is one completion.
units as (
    select * from debate_units
    union all
    select * from probe_units
)

select
    * replace (
        if(cost >= 0, cost, null) as cost,
        if(n_usage > n_completions, n_completions, n_usage) as n_usage
    )
from units
