-- What would a screen, or a debate, of two hundred questions take, and what did the lanes take that say so?
-- One row per plan and lane that tells the rates, and one per plan without a lane: completions only. Tokens and money are the plan's
-- completions at the rates of the lane (cost_n of its n_units state a cost); null is what the lane does not state, 0 what it states as 0.
select
    slice_costs.plan,
    slice_costs.lane,
    slice_costs.model,
    slice_costs.n_questions,
    slice_costs.n_completions,
    slice_costs.input_tokens,
    slice_costs.output_tokens,
    slice_costs.cost,
    cost_card.cost_n,
    cost_card.n_units,
from slice_costs
left join cost_card using (kind, lane)
order by slice_costs.plan asc, slice_costs.lane asc nulls first
