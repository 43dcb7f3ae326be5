-- What of each debate could not be read, round by round: among the stored answers, and among what each profile reads in the texts.

with debates as (
    select * from {{ ref('int_debates') }}
),

panel_rounds as (
    select
        debate_id,
        round,
        n_asked,
        n_asked - n_parsed as n_unparsed,
    from {{ ref('int_panel_rounds') }}
    where has_answers and round is not null and n_asked > 0
),

answers as (
    select * from {{ ref('int_reparse_answers') }}
    where profile <> 'stored'
),

slots as (
    select * from {{ ref('int_coded_answers') }}
    where has_text and not is_absent and round is not null
),

rounds as (
    select
        debate_id,
        'stored' as profile,
        round,
        n_asked as n_answers,
        n_unparsed,
    from panel_rounds
    union all
    select
        slots.debate_id,
        answers.profile,
        slots.round,
        count(*) as n_answers,
        count(*) filter (answers.answer is null) as n_unparsed,
    from slots
    inner join answers using (debate_id, place, agent_position)
    group by all
),

-- Centred within the debate (debate_ledger.round_bias.debate_score).
scored as (
    select
        debate_id,
        profile,
        round(
            sum(round * n_unparsed) - sum(n_unparsed) * sum(round * n_answers) / sum(n_answers), 6
        ) as score,
    from rounds
    group by all
    having sum(n_unparsed) > 0
)

select
    debates.cohort,
    debates.lane,
    debates.model,
    rounds.profile,
    rounds.round,
    null::double as score,
    sum(rounds.n_answers)::bigint as n_answers,
    sum(rounds.n_unparsed)::bigint as n_unparsed,
    null::bigint as n_debates,
from rounds
inner join debates using (debate_id)
group by all
union all
select
    debates.cohort,
    debates.lane,
    debates.model,
    scored.profile,
    null::integer as round,
    scored.score,
    null::bigint as n_answers,
    null::bigint as n_unparsed,
    count(*) as n_debates,
from scored
inner join debates using (debate_id)
group by all
