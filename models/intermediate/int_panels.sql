-- Votes are counted once per distinct panel: a few letters make few panels, and debates repeat them from round to round.

with panel_rounds as (
    select * from {{ ref('stg_panel_rounds') }}
),

distinct_panels as (
    select distinct
        panel,
        correct_label,
    from panel_rounds
),

read_panels as (
    select
        *,
        row_number() over () as panel_id,
        list_transform(
            {{ panel_list('panel') }},
            lambda a: if(a is null, null, {{ answer_label('a', 'coalesce(strlen(correct_label) = 1, true)') }})
        ) as answers,
    from distinct_panels
),

-- Kept, so that a panel has one number wherever it is read.
counted as materialized (
    select
        *,
        list_aggregate(list_filter(answers, lambda a: a <> ''), 'histogram') as votes,
    from read_panels
),

led as (
    select
        *,
        coalesce(list_max(map_values(votes)), 0) as n_leading,
    from counted
),

voted as (
    select
        *,
        -- An empty panel has no votes, and so no leaders.
        coalesce(list_transform(list_filter(map_entries(votes), lambda e: e.value = n_leading), lambda e: e.key), []) as leaders,
    from led
),

-- The same votes by what the answers mean: each label is normalised once, however many panels and keys hold it.
labels as materialized (
    select unnest(map_keys(votes)) as label from counted
    union
    select correct_label as label from counted
    where correct_label is not null
),

forms as materialized (
    {{ answer_forms('labels') | indent(4) }}
),

label_votes as (
    select
        panel_id,
        unnest(map_keys(votes)) as label,
        unnest(map_values(votes)) as n_votes,
    from counted
),

form_votes as (
    select
        label_votes.panel_id,
        forms.sort_key,
        sum(label_votes.n_votes)::integer as n_votes,
    from label_votes
    inner join forms using (label)
    group by all
),

-- A tie goes to the smallest form: the most votes come first, then the smallest key.
form_leaders as (
    select
        panel_id,
        min({'fewer_votes': -n_votes, 'sort_key': sort_key})['sort_key'] as sort_key,
    from form_votes
    group by panel_id
),

form_names as (
    select distinct
        sort_key,
        normal_form,
    from forms
)

select
    voted.panel,
    voted.correct_label,
    answers,
    list_count(answers)::integer as n_asked,
    coalesce(list_sum(map_values(votes)), 0)::integer as n_parsed,
    coalesce(cardinality(votes), 0)::integer as n_distinct,
    n_leading::integer as n_leading,
    len(leaders)::integer as n_leaders,
    -- A tie goes to the first label of the alphabet.
    list_min(leaders) as majority,
    list_contains(leaders, voted.correct_label) as leaders_hold_gold,
    coalesce(votes[voted.correct_label], 0)::integer as n_correct,
    -- Of the labels given, in bits; 0 for an empty panel. Rounded, so that sums of it are the same in every order.
    coalesce(
        list_sum(
            list_transform(
                map_values(votes), lambda v: -(v / list_sum(map_values(votes))) * log2(v / list_sum(map_values(votes)))
            )
        ),
        0
    )::decimal(18, 15) as entropy,
    form_names.normal_form as normalised_majority,
    form_leaders.sort_key = gold_forms.sort_key as normalised_correct,
from voted
left join form_leaders using (panel_id)
left join form_names using (sort_key)
left join forms as gold_forms on voted.correct_label = gold_forms.label
