-- Every action beside the debates that it may mean: one row per (action, cohort, debate), and one without a debate where there is none.

with actions as (
    select * from {{ ref('stg_actions') }}
),

debates as (
    select * from {{ ref('int_debates') }}
),

gates as (
    select * from {{ ref('gates') }}
),

-- A lane is told by its name, by the key of its file, or by the stem of that.
meant as (
    select
        actions.file_id,
        actions.line_number,
        debates.cohort,
        debates.debate_key,
    from actions
    inner join debates on actions.debate_key = debates.debate_key
    union all
    select
        actions.file_id,
        actions.line_number,
        debates.cohort,
        debates.debate_key,
    from actions
    inner join debates
        on
            actions.question_id = debates.question_id
            and actions.lane in (debates.lane, debates.file_key, parse_filename(debates.file_key))
    where actions.debate_key is null
),

matched as (
    select
        actions.*,
        meant.cohort,
        meant.debate_key as matched_key,
        debates.model,
        debates.lane as matched_lane,
        debates.file_key as matched_file_key,
        debates.correct_label,
        debates.question_id as debate_question_id,
        count(meant.debate_key) over (partition by actions.file_id, actions.line_number, meant.cohort) as n_matches,
        coalesce(actions.split in {{ tuning_splits() }}, false) as is_tuning,
        if(
            strlen(actions.answer) = 1 and strlen(debates.correct_label) = 1, upper(actions.answer), actions.answer
        ) as given_answer,
    from actions
    left join meant on actions.file_id = meant.file_id and actions.line_number = meant.line_number
    left join debates on meant.cohort = debates.cohort and meant.debate_key = debates.debate_key
),

-- What several lines say about one debate of a policy.
said as (
    select
        cohort,
        policy,
        matched_key,
        count(distinct concat_ws(chr(31), action_name, coalesce(given_answer, ''), coalesce(stop_round, -1)))
            as n_different,
        min(file_key || ':' || lpad(line_number::varchar, 12, '0')) as first_line,
    from matched
    where n_matches = 1 and matched_key is not null
    group by all
),

-- A question that a policy was tuned on and is tested on, in one cohort.
splits as (
    select
        cohort,
        policy,
        debate_question_id,
        bool_or(is_tuning) and bool_or(not is_tuning) as is_in_both,
    from matched
    where debate_question_id is not null
    group by all
),

-- Options are not in the logs: letters go to J, as in the published benchmark, or as far as a key of the cohort does.
letters as (
    select
        cohort,
        greatest('J', max(correct_label)) as last_letter,
    from debates
    where strlen(correct_label) = 1
    group by all
)

select
    matched.*,
    case
        when matched.policy in (select policy from gates) or matched.policy = 'standard'
            then 'named like a gate: give the policy a name that is neither standard nor in seeds/gates.csv'
        when matched.matched_key is null
            then
                'unmatched: no debate that counts has this key, or lane and question; the table debates has the keys, and files of one name'
                || ' are told apart by their folder'
        when matched.n_matches > 1
            then 'ambiguous: the question occurs ' || matched.n_matches || ' times in the lane, give debate_key'
        when
            matched.debate_key is not null
            and (
                matched.question_id <> matched.debate_question_id
                or matched.lane not in (matched.matched_lane, matched.matched_file_key, parse_filename(matched.matched_file_key))
            )
            then 'two debates: debate_key names another lane or question than the line, give one'
        when matched.split not in {{ tuning_splits() }} and matched.split not in {{ test_splits() }}
            then
                'unknown split: give one of {{ tuning_splits() | replace("'", "") }}, which are not scored,'
                || ' or of {{ test_splits() | replace("'", "") }}'
        when splits.is_in_both then 'tuned on its own test: the question is in a tuning and in a test split of the policy'
        when said.n_different > 1 then 'contradictory: other lines give this debate another action of the same policy'
        when matched.file_key || ':' || lpad(matched.line_number::varchar, 12, '0') > said.first_line
            then 'duplicate: an earlier line says the same of this debate'
        when matched.action_name = 'answer' and matched.correct_label is null then 'unscored: the debate has no answer key'
        when
            matched.action_name = 'answer'
            and strlen(matched.correct_label) = 1
            and matched.correct_label between 'A' and 'Z'
            and not (strlen(matched.given_answer) = 1 and matched.given_answer between 'A' and letters.last_letter)
            then 'outside the options: the key is one letter, the answer none from A to ' || letters.last_letter
    end as problem,
from matched
left join said on matched.cohort = said.cohort and matched.policy = said.policy and matched.matched_key = said.matched_key
left join splits
    on
        matched.cohort = splits.cohort
        and matched.policy = splits.policy
        and matched.debate_question_id = splits.debate_question_id
left join letters on matched.cohort = letters.cohort
