-- Votes are counted once per distinct panel: a few letters make few panels, and debates repeat them from round to round.

with panel_rounds as (
    select * from {{ ref('stg_panel_rounds') }}
),

joined_panels as (
    select * from {{ ref('int_joined_panels') }}
),

-- As they stand, and as they are where numbers are equal within a tolerance.
distinct_panels as (
    select
        panel,
        correct_label,
    from panel_rounds
    union
    select
        joined_panel,
        correct_label,
    from joined_panels
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
        (list_count(answers) - coalesce(list_sum(map_values(votes)), 0))::integer as n_unparsed,
        coalesce(votes[correct_label], 0)::integer as n_correct,
        -- The strongest of the other labels, and of those the first.
        list_min(
            list_transform(
                list_filter(map_entries(votes), lambda e: e.key <> correct_label),
                lambda e: {'fewer_votes': -e.value::integer, 'label': e.key}
            )
        ) as rival,
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
form_ranks as (
    select
        form_votes.*,
        gold_forms.sort_key as gold_sort_key,
        max(form_votes.n_votes) over (partition by form_votes.panel_id) as n_leading,
    from form_votes
    inner join counted using (panel_id)
    left join forms as gold_forms on counted.correct_label = gold_forms.label
),

form_leaders as (
    select
        panel_id,
        min(sort_key) filter (n_votes = n_leading) as sort_key,
        count(*) filter (n_votes = n_leading) as n_leaders,
        coalesce(max(n_votes) filter (sort_key = gold_sort_key), 0) as n_correct,
        min({'fewer_votes': -n_votes, 'sort_key': sort_key}) filter (sort_key <> gold_sort_key) as rival,
    from form_ranks
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
    voted.n_correct,
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
    coalesce(form_leaders.n_leaders, 0)::integer as normalised_n_leaders,
    -- Null without a key.
    {%- set ways = [
        ('alphabetical', 'voted.correct_label', 'voted.n_correct', 'voted.rival', "voted.rival['label']"),
        ('normalised', 'gold_forms.sort_key', 'coalesce(form_leaders.n_correct, 0)', 'form_leaders.rival', "form_leaders.rival['sort_key']"),
    ] %}
    {%- for way, gold, n_gold, rival, first_other in ways %}
    {%- set votes = [gold, n_gold, '-coalesce(' ~ rival ~ "['fewer_votes'], 0)", first_other, 'voted.n_unparsed'] %}
    if(voted.correct_label is null, null, {{ may_become_right(*votes) }}) as {{ way }}_may_be_right,
    if(voted.correct_label is null, null, {{ may_become_wrong(*votes) }}) as {{ way }}_may_be_wrong,
    if(voted.correct_label is null, null, {{ ties_with_an_unseen_answer(n_gold, 'voted.n_unparsed') }}) as {{ way }}_ties_with_unseen,
    {%- endfor %}
    -- A tie is no plurality, whichever answers share it.
    if(
        voted.correct_label is null, null, voted.n_correct + voted.n_unparsed > -coalesce(voted.rival['fewer_votes'], 0)
    ) as plurality_may_be_right,
    if(
        voted.correct_label is null, null, -coalesce(voted.rival['fewer_votes'], 0) + voted.n_unparsed >= voted.n_correct
    ) as plurality_may_be_wrong,
from voted
left join form_leaders using (panel_id)
left join form_names using (sort_key)
left join forms as gold_forms on voted.correct_label = gold_forms.label
