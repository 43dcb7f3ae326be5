-- Answers that differ between two panels of a debate whose agents meet; like the votes, counted once per distinct pair.

with panel_rounds as (
    select * from {{ ref('stg_panel_rounds') }}
    where not is_initial
),

panels as (
    select * from {{ ref('int_panels') }}
),

pairs as (
    select
        panel,
        initial_panel as earlier_panel,
        correct_label,
    from panel_rounds
    where are_initial_agents_met
    union
    select
        panel,
        previous_panel as earlier_panel,
        correct_label,
    from panel_rounds
    where previous_panel is not null and are_previous_agents_met
)

select
    pairs.panel,
    pairs.earlier_panel,
    pairs.correct_label,
    len(
        list_filter(
            list_zip(panels.answers, earlier_panels.answers), lambda p: p[1] <> '' and p[2] <> '' and p[1] <> p[2]
        )
    )::integer as n_flipped,
from pairs
inner join panels
    on pairs.panel = panels.panel and pairs.correct_label is not distinct from panels.correct_label
inner join panels as earlier_panels
    on pairs.earlier_panel = earlier_panels.panel and pairs.correct_label is not distinct from earlier_panels.correct_label
