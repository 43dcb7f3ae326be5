{{ config(materialized='view') }}

-- Every round with its votes: a view, since writing the votes of millions of rounds takes longer than looking them up.

with panel_rounds as (
    select * from {{ ref('stg_panel_rounds') }}
),

panels as (
    select * from {{ ref('int_panels') }}
),

arms as (
    select * from {{ ref('stg_arms') }}
    where reason is null
),

features as (
    select * from {{ ref('stg_round_features') }}
),

trace_rounds as (
    select
        panel_rounds.debate_id,
        panel_rounds.round,
        panel_rounds.is_initial,
        panel_rounds.is_last,
        panel_rounds.correct_label,
        panel_rounds.correct_label is not null as has_gold,
        -- Dialect D records the end, but not in which round the panel came there.
        panel_rounds.is_initial or panel_rounds.previous_panel is not null as follows_recorded_round,
        panel_rounds.n_agents,
        panel_rounds.panel,
        panel_rounds.initial_panel,
        panel_rounds.previous_panel,
        panel_rounds.are_initial_agents_met,
        panel_rounds.are_previous_agents_met,
        panels.n_asked,
        panels.n_parsed,
        panels.n_distinct,
        panels.n_leading,
        panels.n_leaders,
        panels.majority,
        panels.normalised_majority,
        panels.normalised_n_leaders,
        panels.leaders_hold_gold,
        panels.n_correct,
        {%- for way in ['alphabetical', 'normalised'] %}
        panels.{{ way }}_may_be_right,
        panels.{{ way }}_may_be_wrong
        or (
            panels.{{ way }}_ties_with_unseen and {{ has_earlier_answer('panel_rounds.task_kind', 'panel_rounds.correct_label') }}
        ) as {{ way }}_may_be_wrong,
        {%- endfor %}
        panels.plurality_may_be_right,
        panels.plurality_may_be_wrong,
        {{ is_letters('panel_rounds.task_kind', 'panel_rounds.correct_label') }} as is_letters,
        {{ has_earlier_answer('panel_rounds.task_kind', 'panel_rounds.correct_label') }} as has_earlier_answer,
        panels.majority = panel_rounds.correct_label as alphabetical_correct,
        if(panels.n_leaders = 1, panels.majority = panel_rounds.correct_label, null) as plurality_correct,
        panels.normalised_correct,
        if(
            {{ is_letters('panel_rounds.task_kind', 'panel_rounds.correct_label') }},
            panels.majority = panel_rounds.correct_label,
            panels.normalised_correct
        ) as by_kind_correct,
        if(
            panel_rounds.is_last and panel_rounds.stored_final_majority is not null,
            panel_rounds.stored_final_majority,
            panels.majority
        ) = panel_rounds.correct_label as alphabetical_stored_final_correct,
        case
            when panel_rounds.stored_initial_correct is null or panel_rounds.stored_final_correct is null then null
            when panel_rounds.is_initial then panel_rounds.stored_initial_correct
            when panel_rounds.has_stored_majority
                then coalesce(panel_rounds.stored_majority = panel_rounds.correct_label, false)
            -- A round that nobody parsed has no majority to store, and is wrong.
            when panel_rounds.dialect = 'A' and panels.n_parsed = 0 then false
            -- The standard runner stores no majority per round; its rule is the alphabetical one.
            when panel_rounds.dialect = 'C' then coalesce(panels.majority = panel_rounds.correct_label, false)
        end as stored_correct,
        -- The end as the line as a whole states it.
        if(
            panel_rounds.is_last and panel_rounds.stored_initial_correct is not null, panel_rounds.stored_final_correct, null
        ) as stored_end_correct,
        panel_rounds.stored_majority,
        if(panel_rounds.is_last, panel_rounds.stored_final_majority, null) as stored_final_majority,
        panel_rounds.has_stored_majority,
        panel_rounds.stored_majority_changed,
    from panel_rounds
    inner join panels
        on panel_rounds.panel = panels.panel and panel_rounds.correct_label is not distinct from panels.correct_label
),

-- What the unparsed answers of a panel could change, and what a tie decided.
judged_rounds as (
    select
        *,
        {%- for decision in ['stored', 'alphabetical', 'alphabetical_stored_final', 'plurality', 'normalised'] %}
        {%- set way = decision if decision in ['plurality', 'normalised'] else 'alphabetical' %}
        {{ is_unread(decision ~ '_correct', way ~ '_may_be_right', way ~ '_may_be_wrong') }} as {{ decision }}_unread,
        {%- endfor %}
        if(
            is_letters,
            {{ is_unread('alphabetical_correct', 'alphabetical_may_be_right', 'alphabetical_may_be_wrong') }},
            {{ is_unread('normalised_correct', 'normalised_may_be_right', 'normalised_may_be_wrong') }}
        ) as by_kind_unread,
        {%- for decision in ['stored', 'alphabetical', 'alphabetical_stored_final'] %}
        n_leaders > 1 as {{ decision }}_tied,
        {%- endfor %}
        false as plurality_tied,
        normalised_n_leaders > 1 as normalised_tied,
        if(is_letters, n_leaders, normalised_n_leaders) > 1 as by_kind_tied,
    from trace_rounds
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
        correct_label is not null or needs_no_key as has_gold,
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
        {{ 'r1_n_flipped_from_initial' if r == 1 else 'null::integer' }} as stored_n_flipped_from_initial,
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
        null::integer as stored_n_flipped_from_initial,
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
    null::boolean as agreement_correct,
    null::boolean as agreement_end_correct,
    null::double as stored_agreement,
    null::integer as stored_n_flipped_from_initial,
    null::boolean as agreement_unread,
    null::boolean as agreement_tied,
    false as has_agreement,
    true as has_answers,
from judged_rounds
union all by name
select * from arm_rounds
union all by name
select * from feature_decisions
