-- Stored against coded answers per lane, profile and rule of the coder; the rule `all` is the sum, `none` is where no rule fired.

with answers as (
    select * from {{ ref('int_reparse_answers') }}
    where profile <> 'stored'
),

slots as (
    select * from {{ ref('int_coded_answers') }}
),

debates as (
    select * from {{ ref('int_debates') }}
),

compared as (
    select
        debates.cohort,
        debates.lane,
        answers.profile,
        coalesce(answers.coder_rule, 'none') as coder_rule,
        slots.has_text,
        slots.is_absent,
        coalesce(slots.options_from = 'default', false) as has_default_options,
        slots.stored_answer,
        answers.answer as coded_answer,
    from answers
    inner join slots using (debate_id, place, agent_position)
    inner join debates using (debate_id)
),

each_rule as (
    select * from compared
    union all by name
    select
        * exclude (coder_rule),
        'all' as coder_rule,
    from compared
),

counted as (
    select
        cohort,
        lane,
        profile,
        coder_rule,
        count(*) filter (has_text) as n_slots,
        count(*) filter (not has_text and not is_absent) as n_slots_without_text,
        count(*) filter (has_text and has_default_options) as n_slots_default_options,
        count(*) filter (has_text and stored_answer = coded_answer) as n_equal,
        count(*) filter (has_text and stored_answer <> coded_answer) as n_differ,
        count(*) filter (has_text and stored_answer is not null and coded_answer is null) as n_only_stored,
        count(*) filter (has_text and stored_answer is null and coded_answer is not null) as n_only_coded,
        count(*) filter (has_text and stored_answer is null and coded_answer is null) as n_neither,
    from each_rule
    group by all
)

select
    *,
    n_differ + n_only_stored + n_only_coded as n_disagree,
from counted
where n_slots > 0 or coder_rule = 'all'
