-- What it takes to learn about a model on a slice of questions: in completions for every plan, in tokens and money at the rates of a lane.

with plans as (
    select
        *,
        {{ var('cost_slice') }}::bigint as n_questions,
        n_questions * (n_initial + n_further) as n_completions,
    from {{ ref('cost_plans') }}
),

lanes as (
    select * from {{ ref('cost_card') }}
    where cost_per_completion is not null or input_tokens_per_completion is not null or output_tokens_per_completion is not null
),

of_lanes as (
    select
        plans.plan,
        plans.kind,
        lanes.lane,
        lanes.model,
        plans.n_questions,
        plans.n_completions,
        plans.n_completions * lanes.input_tokens_per_completion as input_tokens,
        plans.n_completions * lanes.output_tokens_per_completion as output_tokens,
        plans.n_completions * lanes.cost_per_completion as cost,
        plans.description,
    from plans
    inner join lanes using (kind)
),

of_any as (
    select
        plan,
        kind,
        null::varchar as lane,
        null::varchar as model,
        n_questions,
        n_completions,
        null::double as input_tokens,
        null::double as output_tokens,
        null::double as cost,
        description,
    from plans
),

rows as (
    select * from of_any
    union all
    select * from of_lanes
)

select * from rows
order by plan, lane nulls first
