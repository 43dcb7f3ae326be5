{#-
    Votes are counted on the short answer list of a round: exploding and grouping every answer takes two to three times as long.
    Each count is a step of its own, so that no lambda has to carry a list along.
-#}

with panel_rounds as (
    select * from {{ ref('stg_panel_rounds') }}
),

arms as (
    select * from {{ ref('stg_arms') }}
    where reason is null
),

features as (
    select * from {{ ref('stg_round_features') }}
),

counted as (
    select
        *,
        list_aggregate(list_filter(answers, lambda a: a <> ''), 'histogram') as votes,
        len(list_filter(list_zip(answers, initial_answers), lambda p: p[1] <> '' and p[2] <> '' and p[1] <> p[2]))
            as n_flipped_from_initial,
        len(list_filter(list_zip(answers, previous_answers), lambda p: p[1] <> '' and p[2] <> '' and p[1] <> p[2]))
            as n_flipped_from_previous,
    from panel_rounds
),

led as (
    select
        *,
        map_entries(votes) as vote_entries,
        coalesce(list_max(map_values(votes)), 0) as n_leading,
    from counted
),

voted as (
    select
        *,
        -- An empty panel has no votes, and so no leaders.
        coalesce(list_transform(list_filter(vote_entries, lambda e: e.value = n_leading), lambda e: e.key), []) as leaders,
    from led
),

trace_rounds as (
    select
        debate_id,
        round::integer as round,
        is_initial,
        is_last,
        correct_label is not null as has_gold,
        -- Dialect D records the end, but not in which round the panel came there.
        is_initial or previous_answers is not null as follows_recorded_round,
        n_agents,
        list_count(answers) as n_asked,
        coalesce(list_sum(map_values(votes)), 0) as n_parsed,
        coalesce(cardinality(votes), 0) as n_distinct,
        n_leading,
        len(leaders) as n_leaders,
        -- A tie goes to the first label of the alphabet.
        list_min(leaders) as majority,
        list_contains(leaders, correct_label) as leaders_hold_gold,
        coalesce(votes[correct_label], 0) as n_correct,
        if(is_initial, null, n_flipped_from_initial) as n_flipped_from_initial,
        if(is_initial or previous_answers is null, null, n_flipped_from_previous) as n_flipped_from_previous,
        list_min(leaders) = correct_label as alphabetical_correct,
        if(len(leaders) = 1, list_min(leaders) = correct_label, null) as plurality_correct,
        if(
            is_last and stored_final_majority is not null, stored_final_majority = correct_label, list_min(leaders) = correct_label
        ) as alphabetical_stored_final_correct,
        case
            when stored_initial_correct is null or stored_final_correct is null then null
            when is_initial then stored_initial_correct
            when has_stored_majority then coalesce(stored_majority = correct_label, false)
            -- A round that nobody parsed has no majority to store, and is wrong.
            when dialect = 'A' and votes is null then false
            -- The standard runner stores no majority per round; its rule is the alphabetical one.
            when dialect = 'C' then coalesce(list_min(leaders) = correct_label, false)
        end as stored_correct,
        -- The end as the line as a whole states it.
        if(is_last and stored_initial_correct is not null, stored_final_correct, null) as stored_end_correct,
        null::boolean as agreement_correct,
        null::boolean as agreement_end_correct,
        null::double as stored_agreement,
        stored_majority,
        has_stored_majority,
        stored_majority_changed,
    from voted
),

arm_rounds as (
    {%- for round, is_initial, correct, majority in [
        (0, 'true', 'stored_initial_correct', 'stored_initial_majority'),
        ('null', 'false', 'stored_final_correct', 'stored_final_majority'),
    ] %}
    select
        line_id * 2 + if(arm = 'abc', 1, 0) as debate_id,
        -- The round of the end is not recorded.
        {{ round }}::integer as round,
        {{ is_initial }} as is_initial,
        not {{ is_initial }} as is_last,
        false as follows_recorded_round,
        correct_label is not null as has_gold,
        if({{ is_initial }}, {{ correct }}, null) as stored_correct,
        if(not {{ is_initial }}, {{ correct }}, null) as stored_end_correct,
        {{ majority }} as stored_majority,
    from arms
    {{ 'union all' if not loop.last }}
    {%- endfor %}
),

feature_ends as (
    select
        *,
        case
            when r3_correct is not null then 3
            when r2_correct is not null then 2
            when r1_correct is not null then 1
        end as last_round,
        initial_correct is not null and final_correct is not null as is_answerable,
        -- With three agents an agreement is a number of thirds; other fractions tell no tie.
        list_bool_and(
            list_transform(
                list_filter([initial_agreement, r1_agreement, r2_agreement, r3_agreement], lambda a: a is not null),
                lambda a: abs(3 * a - round(3 * a)) < 1e-6
            )
        ) as is_thirds,
    from features
),

feature_rounds as (
    {%- for r in [0, 1, 2, 3] %}
    select
        line_id * 2 as debate_id,
        {{ r }} as round,
        {{ 'true' if r == 0 else 'false' }} as is_initial,
        coalesce(last_round = {{ r }}, false) as is_last,
        {{ 'initial' if r == 0 else 'r' ~ r }}_correct as correct,
        if(last_round = {{ r }}, final_correct, null) as end_correct,
        {{ 'initial' if r == 0 else 'r' ~ r }}_agreement as stored_agreement,
        {{ 'null::boolean' if r == 0 else 'r' ~ r ~ '_majority_changed' }} as stored_majority_changed,
        {{ 'r1_n_flipped_from_initial' if r == 1 else 'null::integer' }} as n_flipped_from_initial,
        is_answerable,
        is_thirds,
    from feature_ends
    {% if r > 0 -%} where r{{ r }}_correct is not null {%- endif %}
    union all
    {%- endfor %}
    -- A matrix without per-round correctness knows the end all the same, but not its round.
    select
        line_id * 2 as debate_id,
        null::integer as round,
        false as is_initial,
        true as is_last,
        null::boolean as correct,
        final_correct as end_correct,
        null::double as stored_agreement,
        null::boolean as stored_majority_changed,
        null::integer as n_flipped_from_initial,
        is_answerable,
        false as is_thirds,
    from feature_ends
    where last_round is null
),

-- One third of three agents is three answers with three labels, or a panel that is hardly parsed: a tie, and no decision.
feature_decisions as (
    select
        * exclude (correct, end_correct, is_answerable, is_thirds),
        -- A matrix stores whether its panels are right, so it needs no answer key.
        true as has_gold,
        round is not null as follows_recorded_round,
        if(is_answerable, correct, null) as stored_correct,
        if(is_answerable, end_correct, null) as stored_end_correct,
        is_answerable and is_thirds and stored_agreement is not null as has_agreement,
        if(is_answerable and is_thirds and stored_agreement > 0.5, correct, null) as agreement_correct,
        if(is_answerable and is_thirds and stored_agreement > 0.5, end_correct, null) as agreement_end_correct,
    from feature_rounds
)

select
    *,
    false as has_agreement,
    true as has_answers,
from trace_rounds
union all by name
select * from arm_rounds
union all by name
select * from feature_decisions
