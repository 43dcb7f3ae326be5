-- Debates that no gate can tell apart, counted: millions of debates are a few thousand kinds.

with debates as (
    select * from {{ ref('int_replay_debates') }}
)

select
    kind_id,
    cohort,
    coding_rule,
    endpoint,
    model,
    lane,
    file_key,
    initial_state,
    final_state,
    cell,
    is_changed,
    has_answers,
    is_ended_at_start,
    n_agents,
    initial_one_answer,
    initial_agreement_of_parsed,
    r1_majority_changed,
    r1_one_answer,
    r1_n_flipped,
    r1_agreement_of_parsed,
    question_flip_rate,
    sign,
    count(*) as n,
from debates
group by all
