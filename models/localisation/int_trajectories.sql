-- What each debate of a cohort shows before and during its first three rounds: features of the localisation models and of replay gates.

with debates as (
    select * from {{ ref('int_debates') }}
),

panel_rounds as (
    select * from {{ ref('debate_rounds') }}
    where round <= 3
),

features as (
    select
        line_id * 2 as debate_id,
        initial_unanimous,
    from {{ ref('stg_round_features') }}
),

-- One row per debate; a round that was not held leaves its columns null.
rounds as (
    select
        debate_key,
        cohort,
        max(n_agents) filter (round = 0) as n_agents,
        bool_or(has_at_most_one_answer) filter (round = 0) as initial_one_answer,
        bool_or(is_unanimous) filter (round = 0) as initial_unanimous,
        max(n_distinct) filter (round = 0) as initial_n_distinct,
        max(agreement_counting_unparsed) filter (round = 0) as initial_agreement,
        max(agreement_of_parsed) filter (round = 0) as initial_agreement_of_parsed,
        bool_or(majority_changed_from_initial) filter (round = 1) as r1_majority_changed,
        bool_or(plurality_changed_from_initial) filter (round = 1) as r1_plurality_changed,
        bool_or(normalised_changed_from_initial) filter (round = 1) as r1_normalised_changed,
        bool_or(stored_majority_changed) filter (round = 1) as r1_stored_majority_changed,
        max(n_flipped_from_initial) filter (round = 1) as r1_n_flipped,
        coalesce(
            bool_or(n_flipped_from_initial is null and flips_unknown_reason is not null) filter (round = 1), false
        ) as is_r1_flip_unknown,
        bool_or(has_at_most_one_answer) filter (round = 1) as r1_one_answer,
        {%- for r in [2, 3] %}
        bool_or(majority_changed_from_previous) filter (round = {{ r }}) as r{{ r }}_majority_changed,
        {%- endfor %}
        {%- for r in [1, 2, 3] %}
        max(agreement_counting_unparsed) filter (round = {{ r }}) as r{{ r }}_agreement,
        max(agreement_of_parsed) filter (round = {{ r }}) as r{{ r }}_agreement_of_parsed,
        {%- endfor %}
    from panel_rounds
    group by debate_key, cohort
)

select
    debates.debate_id,
    debates.debate_key,
    debates.cohort,
    debates.model,
    debates.family,
    debates.lane,
    debates.file_key,
    debates.line_number,
    debates.arm,
    debates.question_id,
    -- A feature matrix stores whether its start is unanimous, not how many answers there are; a comparison of two arms stores neither.
    features.debate_id is null and rounds.n_agents is not null as has_answers,
    rounds.n_agents,
    coalesce(rounds.initial_one_answer, features.initial_unanimous) as initial_one_answer,
    rounds.initial_unanimous,
    rounds.* exclude (debate_key, cohort, n_agents, initial_one_answer, initial_unanimous),
from debates
inner join rounds on debates.debate_key = rounds.debate_key and debates.cohort = rounds.cohort
left join features on debates.debate_id = features.debate_id
