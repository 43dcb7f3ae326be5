{{ config(materialized='view') }}

-- The rounds of debates in which values are equal within a tolerance, decided by those: one row per round and tolerance.

with panel_rounds as (
    select * from {{ ref('int_panel_rounds') }}
),

joined_panels as (
    select * from {{ ref('int_joined_panels') }}
),

panels as (
    select * from {{ ref('int_panels') }}
),

joined_rounds as (
    select
        joined_panels.tolerance,
        panel_rounds.* replace (
            panels.normalised_majority as normalised_majority,
            panels.normalised_n_leaders as normalised_n_leaders,
            panels.normalised_correct as normalised_correct,
            panels.normalised_correct as by_kind_correct,
            panels.normalised_may_be_right as normalised_may_be_right,
            panels.normalised_may_be_wrong
            or (panels.normalised_ties_with_unseen and panel_rounds.has_earlier_answer) as normalised_may_be_wrong,
            panels.normalised_n_leaders > 1 as normalised_tied,
            panels.normalised_n_leaders > 1 as by_kind_tied
        ),
    from panel_rounds
    inner join joined_panels
        on panel_rounds.debate_id = joined_panels.debate_id and panel_rounds.panel = joined_panels.panel
    inner join panels
        on
            joined_panels.joined_panel = panels.panel
            and joined_panels.correct_label = panels.correct_label
)

select
    * replace (
        {{ is_unread('normalised_correct', 'normalised_may_be_right', 'normalised_may_be_wrong') }} as normalised_unread,
        {{ is_unread('normalised_correct', 'normalised_may_be_right', 'normalised_may_be_wrong') }} as by_kind_unread
    ),
from joined_rounds
