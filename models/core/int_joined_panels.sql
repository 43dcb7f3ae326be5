{#-
    Numbers that are equal within the tolerance of a rule. Within a debate all values (of every round, and the key) are sorted, and each is joined to
    the next within the tolerance, so that the order of answers does not matter; of whole numbers a group holds no two. Only debates in which that joins something
    have rows, and letters are no values: for them this costs a look at the keys.
-#}

with panel_rounds as (
    select distinct
        debate_id,
        panel,
        correct_label,
    from {{ ref('stg_panel_rounds') }}
    where correct_label is not null and not {{ is_letters('task_kind', 'correct_label') }}
),

tolerances as (
    select distinct tolerance from {{ ref('coding_rules') }}
    where tolerance > 0
),

distinct_panels as (
    select distinct
        panel,
        correct_label,
    from panel_rounds
),

panels as (
    select
        panel,
        correct_label,
        list_transform(
            {{ panel_list('panel') }},
            lambda a: if(a is null, null, {{ answer_label('a', 'coalesce(strlen(correct_label) = 1, true)') }})
        ) as answers,
    from distinct_panels
),

panel_labels as materialized (
    select
        panel,
        correct_label,
        unnest(list_filter(list_distinct(list_append(answers, correct_label)), lambda a: a <> '')) as label,
    from panels
),

labels as (
    select distinct label from panel_labels
),

forms as (
    {{ answer_forms('labels') | indent(4) }}
),

numbers as materialized (
    select
        label,
        sort_key,
        {{ is_whole('normal_form') }} as is_whole,
        {{ form_value('normal_form') }} as value,
    from forms
    -- Longer ones are equal exactly or not at all.
    where is_number and strlen(normal_form) <= 300
),

distinct_values as (
    select distinct
        sort_key,
        value,
    from numbers
),

-- Over all debates: a value that is far from both of its neighbours is joined to none, whichever debate it is in.
near as (
    select sort_key from distinct_values
    qualify
        {{ are_near('value', 'lag(value) over (order by sort_key)', '(select max(tolerance) from tolerances)') }}
        or {{ are_near('value', 'lead(value) over (order by sort_key)', '(select max(tolerance) from tolerances)') }}
),

near_labels as (
    select
        panel_labels.panel,
        panel_labels.correct_label,
        numbers.*,
    from panel_labels
    inner join numbers using (label)
    semi join near using (sort_key)
),

debate_values as (
    select distinct
        panel_rounds.debate_id,
        near_labels.* exclude (panel),
    from panel_rounds
    inner join near_labels
        on
            panel_rounds.panel = near_labels.panel
            and panel_rounds.correct_label = near_labels.correct_label
),

sorted as (
    select distinct
        tolerances.tolerance,
        debate_id,
        sort_key,
        value,
        is_whole,
    from debate_values
    cross join tolerances
),

-- A gap that is too wide begins a chain.
parted as (
    select
        *,
        not coalesce({{ are_near('value', 'lag(value) over neighbours', 'tolerance') }}, false) as is_apart,
    from sorted
    window neighbours as (partition by tolerance, debate_id order by sort_key)
),

chained as (
    select
        *,
        count(*) filter (is_apart) over (partition by tolerance, debate_id order by sort_key) as chain,
    from parted
),

-- In a chain every whole number but the first begins a group.
grouped as (
    select
        *,
        greatest(count(*) filter (is_whole) over (partition by tolerance, debate_id, chain order by sort_key), 1) as part,
    from chained
),

-- A group keeps the spelling of the key, else of its smallest.
named as (
    select
        grouped.tolerance,
        debate_values.debate_id,
        debate_values.label,
        if(
            bool_or(debate_values.label = debate_values.correct_label) over same,
            debate_values.correct_label,
            first_value(debate_values.label) over (same order by grouped.sort_key, debate_values.label)
        ) as joined_label,
        min(grouped.sort_key) over same <> max(grouped.sort_key) over same as is_joined,
    from grouped
    inner join debate_values using (debate_id, sort_key)
    window same as (partition by grouped.tolerance, debate_values.debate_id, grouped.chain, grouped.part)
),

joined_labels as (
    select
        tolerance,
        debate_id,
        map_from_entries(list({'k': label, 'v': joined_label} order by label)) as joined_labels,
    from named
    where is_joined
    group by all
)

select
    joined_labels.debate_id,
    joined_labels.tolerance,
    panel_rounds.panel,
    panel_rounds.correct_label,
    to_json(
        list_transform(panels.answers, lambda a: coalesce(joined_labels.joined_labels[a], a))
    )::varchar as joined_panel,
from joined_labels
inner join panel_rounds using (debate_id)
inner join panels
    on
        panel_rounds.panel = panels.panel
        and panel_rounds.correct_label = panels.correct_label
