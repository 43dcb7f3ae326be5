-- What keeps evaluations of the verifier audit from counting, or the audit from being whole, with the way out.

with staged as (
    select * from {{ ref('stg_evaluations') }}
),

evaluations as (
    select * from {{ ref('int_evaluations') }}
),

runs as (
    select * from {{ ref('int_audit_runs') }}
),

gains as (
    select * from {{ ref('int_pair_gains') }}
),

draws as (
    select * from {{ ref('int_degradations') }}
),

stages as (
    select * from {{ ref('int_audit_stages') }}
),

maxima as (
    select * from {{ ref('int_search_maxima') }}
),

tests as (
    select * from {{ ref('int_generator_tests') }}
),

paths as (
    select * from {{ ref('int_pair_paths') }}
),

searches as (
    select * from {{ ref('int_pair_searches') }}
),

epsilons as (
    select * from {{ ref('int_epsilons') }}
),

configured as (
    select * from {{ ref('int_configured_epsilons') }}
),

generators as (
    select * from {{ ref('int_audit_generators') }}
),

-- The lines of what has two values: few, so they are looked up again.
contradictions as (
    select
        evaluations.cohort,
        evaluations.dataset,
        evaluations.model,
        evaluations.arm,
        evaluations.pair_id,
        'two values for one evaluation' as problem,
        format(
            '{} {}{}: {}',
            evaluations.phase,
            evaluations.q_key,
            if(evaluations.draw > 0, format(' {} {}', evaluations.generator, evaluations.draw), ''),
            string_agg(staged.file_key || ':' || staged.line_number, ', ' order by staged.file_id, staged.line_number)
        ) as detail,
        'none of them counts: keep the line that holds; runs of other scores go into a folder of their own, or under a stage of their own'
            as mend,
        1 as n_evaluations,
    from evaluations
    inner join staged using (cohort, stage, pool, dataset, model, arm, pair_id, phase, q_key, generator, draw)
    where evaluations.is_contradicted
    group by
        evaluations.cohort, evaluations.dataset, evaluations.model, evaluations.arm, evaluations.pair_id, evaluations.phase,
        evaluations.q_key, evaluations.generator, evaluations.draw
),

repeated as (
    select
        cohort,
        dataset,
        model,
        arm,
        pair_id,
        'scored more than once, alike' as problem,
        format('lines beside the first: {}', sum(n_lines - 1)) as detail,
        'they count once' as mend,
        sum(n_lines - 1)::bigint as n_evaluations,
    from evaluations
    where n_lines > 1 and not is_contradicted and stage <> '2'
    group by all
),

-- A gain of another stage is there, and is not taken.
other_stages as (
    select distinct
        cohort,
        dataset,
        model,
        arm,
        pair_id,
        stage as other_stage,
    from evaluations
    where phase = 'canonical' and q_key = 'Q_Y' and stage <> 'posterior'
),

without_gain as (
    select
        gains.cohort,
        gains.dataset,
        gains.model,
        gains.arm,
        gains.pair_id,
        case gains.gain_status
            when 'no base' then 'no canonical Q_Y of the base verifier'
            when 'no arm' then 'no canonical Q_Y of the arm'
            when 'unequal questions' then 'canonical Q_Y with another question hash than the base verifier'
            else 'canonical Q_Y with two values'
        end as problem,
        format('stage {}', gains.stage)
        || coalesce(
            format(
                ', while stage {} has one: a gain of one stage never goes into a score of another (mixed stages)', min(others.other_stage)
            ),
            ''
        ) as detail,
        if(
            gains.gain_status = 'contradicted',
            'no score of this pair can be told: keep the line that holds',
            'no score of this pair can be told: land the missing evaluation of the same stage (and pool), scored on the same question'
        ) as mend,
        count(*) as n_evaluations,
    from gains
    left join other_stages as others
        on
            gains.cohort = others.cohort
            and gains.dataset = others.dataset
            and gains.model = others.model
            and gains.pair_id = others.pair_id
            and others.arm = if(gains.gain_status = 'no base', 'base', gains.arm)
            and gains.stage <> others.other_stage
            and gains.gain_status in ('no base', 'no arm')
    where gains.gain_status <> 'scored'
    group by gains.cohort, gains.dataset, gains.model, gains.arm, gains.pair_id, gains.stage, gains.gain_status
),

unscored_draws as (
    select
        cohort,
        dataset,
        model,
        arm,
        pair_id,
        case draw_status
            when 'no base' then phase || ' draws that the base verifier was not scored on'
            else phase || ' draws with another question hash than the base verifier'
        end as problem,
        format('draws of {}: {}, the first is draw {}', generator, count(*), min(draw)) as detail,
        'they do not count: land the base evaluations of the same questions' as mend,
        count(*) as n_evaluations,
    from draws
    where draw_status in ('no base', 'unequal questions')
    group by cohort, dataset, model, arm, pair_id, phase, generator, draw_status
),

mixed as (
    select
        cohort,
        dataset,
        model,
        arm,
        null as pair_id,
        'mixed stages or generators' as problem,
        format('{} draws of {} in one folder: {}', phase, n_sources, sources) as detail,
        'which of them counts cannot be told, so none does: one folder for each run' as mend,
        n_sources as n_evaluations,
    from stages
    where n_sources > 1
),

short_searches as (
    select
        cohort,
        dataset,
        model,
        arm,
        pair_id,
        'incomplete search set' as problem,
        format('{} of {} paraphrases scored', n_scored, search_budget) as detail,
        'without a counterexample among them it is undecided: land the missing draws, or set search_budget in seeds/audit_settings.csv'
            as mend,
        search_budget - n_scored as n_evaluations,
    from maxima
    -- Without a gain no score of the pair can be told, and that is said already.
    where n_scored < search_budget and den_e8 is not null
),

unsearched as (
    select
        runs.cohort,
        runs.dataset,
        runs.model,
        maxima.arm,
        null as pair_id,
        'pairs that were not searched' as problem,
        format('{} of {} pairs searched', count(*), runs.n_pairs) as detail,
        'the ratio is over all pairs and cannot be told: land the missing pairs' as mend,
        runs.n_pairs - count(*) as n_evaluations,
    from maxima
    inner join runs using (cohort, dataset, model)
    group by runs.cohort, runs.dataset, runs.model, runs.n_pairs, maxima.arm
    having count(*) < runs.n_pairs
),

beyond as (
    select
        cohort,
        dataset,
        model,
        arm,
        pair_id,
        'draws beyond the search budget' as problem,
        format('{} draws above {}', n_beyond_budget, search_budget) as detail,
        'they do not count: set search_budget in seeds/audit_settings.csv if they should' as mend,
        n_beyond_budget as n_evaluations,
    from maxima
    where n_beyond_budget > 0
    union all
    select
        draws.cohort,
        draws.dataset,
        draws.model,
        draws.arm,
        draws.pair_id,
        'draws beyond the test budget' as problem,
        format('{} draws of {} above {}', count(*), draws.generator, runs.test_budget) as detail,
        'they do not count: set test_budget in seeds/audit_settings.csv if they should' as mend,
        count(*) as n_evaluations,
    from draws
    inner join runs using (cohort, dataset, model)
    where draws.phase = 'test' and draws.draw > runs.test_budget
    group by draws.cohort, draws.dataset, draws.model, draws.arm, draws.pair_id, draws.generator, runs.test_budget
),

short_tests as (
    select
        cohort,
        dataset,
        model,
        arm,
        pair_id,
        'incomplete test draws' as problem,
        format(
            '{}: {} of {} draws without a gap, no failure and no recorded stop, at {}',
            generator,
            n_draws,
            test_budget,
            string_agg(epsilon_name, ', ' order by epsilon_name)
        ) as detail,
        'the pair has no bound: land the missing draws, or mark the last one with "stop": true where the auditor stopped' as mend,
        max(test_budget - n_draws) as n_evaluations,
    from paths
    -- Without a gain no draw of the pair can be read, and that is said already.
    anti join without_gain using (cohort, dataset, model, arm, pair_id)
    where generator_status = 'INCOMPLETE'
    group by cohort, dataset, model, arm, pair_id, generator, n_draws, test_budget
),

after_stop as (
    select
        cohort,
        dataset,
        model,
        arm,
        pair_id,
        'draws after the auditor stopped' as problem,
        format('{}: {} draws after draw {}', generator, max(n_after_stop), stop_draw) as detail,
        'they do not count: take "stop" away if the auditor went on' as mend,
        max(n_after_stop) as n_evaluations,
    from tests
    where n_after_stop > 0
    group by cohort, dataset, model, arm, pair_id, generator, stop_draw
),

two_pools as (
    select
        cohort,
        dataset,
        model,
        arm,
        pair_id,
        'test draws of two pools' as problem,
        format('{}, at {}', string_agg(distinct pool, ' and ' order by pool), epsilon_name) as detail,
        'draws of two pools are not one sequence, so none counts: one folder for each pool, or one name of it' as mend,
        count(*) as n_evaluations,
    from tests
    where n_pools > 1
    group by cohort, dataset, model, arm, pair_id, epsilon_name
),

unread_pools as (
    select
        draws.cohort,
        draws.dataset,
        draws.model,
        draws.arm,
        null as pair_id,
        'test pool that no threshold reads' as problem,
        draws.pool as detail,
        'its draws do not count: a pool has the name of a threshold (p25), with -strict or -honest behind it for one arm; else leave it out'
            as mend,
        count(*) as n_evaluations,
    from draws
    left join epsilons
        on
            draws.cohort = epsilons.cohort
            and draws.dataset = epsilons.dataset
            and draws.model = epsilons.model
            and draws.pool in ({{ pools_of('epsilons.epsilon_name', 'draws.arm') }})
    where draws.phase = 'test' and draws.pool <> 'any' and epsilons.epsilon_name is null
    group by draws.cohort, draws.dataset, draws.model, draws.arm, draws.pool
),

unlisted as (
    select
        evaluations.cohort,
        evaluations.dataset,
        evaluations.model,
        null as arm,
        null as pair_id,
        'test generator that is not in the list' as problem,
        evaluations.generator as detail,
        'its draws do not count: the list is generators in seeds/audit_settings.csv' as mend,
        count(*) as n_evaluations,
    from evaluations
    anti join generators using (cohort, dataset, model, generator)
    where evaluations.phase = 'test'
    group by all
),

-- Tests of a pool of paraphrases were made on pairs without a counterexample only.
needless as (
    select distinct
        searches.cohort,
        searches.dataset,
        searches.model,
        searches.arm,
        searches.pair_id,
        'tested in the second stage in spite of a counterexample' as problem,
        searches.epsilon_name as detail,
        'the pair keeps its bound of 0: the two stages were not run on the same scores or threshold' as mend,
        1 as n_evaluations,
    from searches
    inner join draws
        on
            searches.cohort = draws.cohort
            and searches.dataset = draws.dataset
            and searches.model = draws.model
            and searches.arm = draws.arm
            and searches.pair_id = draws.pair_id
            and draws.pool <> 'any'
            and draws.pool in ({{ pools_of('searches.epsilon_name', 'searches.arm') }})
    where searches.verdict = 'counterexample' and draws.phase = 'test'
),

odd_counts as (
    select
        cohort,
        dataset,
        model,
        null as arm,
        null as pair_id,
        'another number of pairs than the data set has' as problem,
        format('{} of {}', n_pairs, n_pairs_expected) as detail,
        'rates are over the pairs that are here: land the others, or give the cohort its own n_pairs in seeds/audit_settings.csv' as mend,
        abs(n_pairs - n_pairs_expected) as n_evaluations,
    from runs
    where n_pairs <> n_pairs_expected
),

without_threshold as (
    select
        cohort,
        dataset,
        model,
        null as arm,
        null as pair_id,
        'no threshold' as problem,
        'no frozen one, and no organism whose every pair was searched in full' as detail,
        'give one in seeds/audit_epsilons.csv, or land the organism (arm org)' as mend,
        1 as n_evaluations,
    from runs
    anti join epsilons using (cohort, dataset, model)
),

two_thresholds as (
    select
        cohort,
        dataset,
        model,
        null as arm,
        null as pair_id,
        'runs that were configured with different thresholds of one name' as problem,
        format('{}: {}', epsilon_name, stated) as detail,
        'none of them is read: one folder for each run, or a row of the cohort in seeds/audit_epsilons.csv' as mend,
        n_values as n_evaluations,
    from configured
    where n_values > 1
),

unreadable_thresholds as (
    select
        cohort,
        dataset,
        model,
        null as arm,
        null as pair_id,
        'threshold of a run that is no decimal from 0 up with at most twelve places' as problem,
        stated as detail,
        'the audit is not read at it: give the threshold in seeds/audit_epsilons.csv' as mend,
        n_unreadable as n_evaluations,
    from configured
    where n_unreadable > 0
),

two_flags as (
    select
        cohort,
        dataset,
        model,
        arm,
        pair_id,
        'correct is true and false' as problem,
        q_key as detail,
        'the probability decides: keep the line that holds' as mend,
        1 as n_evaluations,
    from evaluations
    where has_two_flags
),

two_indices as (
    select distinct
        cohort,
        dataset,
        model,
        null as arm,
        pair_id,
        'two values of dataset_index' as problem,
        'the pair is known by its pair_id' as detail,
        'nothing depends on it: keep the one that holds' as mend,
        1 as n_evaluations,
    from evaluations
    where has_two_indices
),

odd_flags as (
    select
        cohort,
        dataset,
        model,
        arm,
        pair_id,
        'correct says otherwise than the probability' as problem,
        format('{}: {} with a probability of {}', q_key, if(is_correct, 'correct', 'not correct'), p_e8 / 100000000) as detail,
        'the flag counts; at exactly one half either may hold' as mend,
        1 as n_evaluations,
    from evaluations
    where not is_contradicted and p_e8 <> 50000000 and is_correct <> (p_e8 > 50000000)
),

problems as (
    {%- for part in [
        'contradictions', 'repeated', 'without_gain', 'unscored_draws', 'mixed', 'short_searches', 'unsearched', 'beyond', 'short_tests',
        'after_stop', 'two_pools', 'unread_pools', 'unlisted', 'needless', 'odd_counts', 'without_threshold', 'two_thresholds',
        'unreadable_thresholds', 'two_flags', 'two_indices', 'odd_flags',
    ] %}
    select * from {{ part }}
    {{ 'union all' if not loop.last }}
    {%- endfor %}
)

select
    cohort,
    dataset,
    model,
    arm,
    pair_id,
    problem,
    detail,
    mend,
    n_evaluations::bigint as n_evaluations,
from problems
