-- Counts of every policy, cohort and rule, over its models.

with models as (
    select * from {{ ref('int_replay_model_counts') }}
),

kinds as (
    select * from {{ ref('int_replay_kinds') }}
),

totals as (
    select
        cohort,
        coding_rule,
        endpoint,
        sum(n)::bigint as n_all,
    from kinds
    group by all
),

counted as (
    select
        cohort,
        coding_rule,
        endpoint,
        policy,
        source,
        {%- for name in [
            'n_debates', 'n_answered', 'n_fired', 'n_prevented', 'n_lost', 'n_lost_undecided', 'n_gained', 'n_broken', 'n_abstained_right',
            'n_abstained_wrong', 'n_standard_correct', 'n_policy_correct',
        ] %}
        sum({{ name }})::bigint as {{ name }},
        {%- endfor %}
        if(count(n_neutral) = count(*), sum(n_neutral), null)::bigint as n_neutral,
    from models
    group by all
)

select
    counted.*,
    -- Debates of models that it says nothing about are among them.
    totals.n_all - counted.n_debates as n_undecidable,
from counted
inner join totals using (cohort, coding_rule, endpoint)
