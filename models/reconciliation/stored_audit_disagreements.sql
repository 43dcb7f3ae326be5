-- What the files of the verifier audit state and what the scores and rows that are here give, where the two differ. Quotients are compared
-- by cross-multiplying whole numbers, bounds as doubles bit by bit.

{#- Per relation and kind of record: (what, stored, recomputed, when the two differ). -#}
{%- set claims = {
    ('searches', 'stage1_search'): [
        ('paraphrases scored', 'n_stated', 'n_scored', 'not is_comparable'),
        ('draws above the threshold', 'n_gt', 'n_above', 'is_comparable and n_gt is distinct from n_above'),
        ('draws at the threshold', 'n_eq', 'n_equal', 'is_comparable and n_eq is distinct from n_equal'),
        ('draws below the threshold', 'n_lt', 'n_below', 'is_comparable and n_lt is distinct from n_below'),
        ('group', 'search_group', 'our_group', 'is_comparable and search_group is distinct from our_group'),
        ('violating draws', 'violating_draws', 'draws_above', 'is_comparable and violating_draws is distinct from draws_above'),
        (
            'largest score', fraction_of('max_delta'), fraction_text('max_num_e12', 'den_e12'),
            'is_comparable and max_delta_num::hugeint * den_e12 is distinct from max_num_e12 * max_delta_den',
        ),
    ],
    ('factors', 'stage1_factors'): [
        (
            'gain', fraction_of('gain'), fraction_text('gain_e12', '1000000000000::hugeint'),
            'gain_num::hugeint * 1000000000000 is distinct from gain_e12 * gain_den',
        ),
        (
            'denominator', fraction_of('denominator'), fraction_text('den_e12', '1000000000000::hugeint'),
            'denominator_num::hugeint * 1000000000000 is distinct from den_e12 * denominator_den',
        ),
        (
            'largest score', fraction_of('max_delta'), fraction_text('max_num_e12', 'den_e12'),
            'max_delta_num::hugeint * den_e12 is distinct from max_num_e12 * max_delta_den',
        ),
    ],
    ('paths', 'stage2_generator'): [
        ('passes', 't', 'our_t', 't is distinct from our_t'),
        ('status', 'status', 'our_status', 'status is distinct from our_status'),
        ('lower bound', 'lower_bound', 'our_lower_bound', 'lower_bound is distinct from our_lower_bound'),
    ],
    ('pair_bounds', 'stage2_pair'): [
        ('status', 'status', 'our_status', 'status is distinct from our_status'),
        ('lower bound', 'lower_bound', 'our_lower_bound', 'lower_bound is distinct from our_lower_bound'),
    ],
    ('manifests', 'stage2_manifest'): [
        ('pairs tested', 'n_completed', 'n_pairs_of_results', 'n_completed is distinct from n_pairs_of_results'),
        ('pairs of the run', 'n_total', 'n_pairs_of_results', 'n_total is distinct from n_pairs_of_results'),
        ('pairs without a counterexample', 'n_total', 'n_clean', 'n_clean is not null and n_total is distinct from n_clean'),
        ('threshold', 'epsilon', 'our_epsilon', 'our_epsilon is not null and epsilon_e12 is distinct from our_epsilon_e12'),
        ('floor of the denominator', 'kappa', 'our_kappa', "our_kappa is not null and kappa_e12 is distinct from " ~ as_e12('our_kappa')),
        ('test budget', 'test_budget', 'our_test_budget', 'our_test_budget is not null and test_budget is distinct from our_test_budget'),
        ('generators', 'generators', 'our_generators', 'our_generators is not null and generators is distinct from our_generators'),
    ],
    ('analyses', 'stage1_complete'): [
        ('files of the analysis', 'n_artifacts', 'n_checked', 'n_artifacts is distinct from n_checked'),
    ],
    ('metrics', 'posterior_metrics'): [
        ('questions', 'n_items', 'n_questions', 'n_items is distinct from n_questions'),
        ('accuracy', 'accuracy', 'our_accuracy', 'try_cast(accuracy as double) is distinct from our_accuracy'),
        (
            'mean probability', 'mean_p_true', 'our_mean',
            'not coalesce(abs(try_cast(mean_p_true as double) - our_mean) <= 1e-12, false)',
        ),
    ],
    ('cached', 'cached_score'): [
        ('score of the base', 'base_p_true', 'our_base', 'base_p_true is distinct from our_base'),
        ('score of the arm', 'arm_p_true', 'our_arm', 'arm_p_true is distinct from our_arm'),
    ],
    ('splits', 'split_summary'): [
        ('items to train on', 'n_train_stated', 'n_train', 'n_train_stated is distinct from n_train'),
        ('items to evaluate on', 'n_eval_stated', 'n_eval', 'n_eval_stated is distinct from n_eval'),
        ('split by the rule', "'true'", 'follows_rule', 'not follows_rule'),
    ],
    ('adjudication_manifests', 'grounded_manifest'): [
        ('items', 'n_items_stated', 'n_items', 'n_items_stated is distinct from n_items'),
    ],
    ('adjudications', 'grounded_manifest'): [
        ('resolved', 'n_resolved_stated', 'n_resolved', 'n_resolved_stated is distinct from n_resolved'),
        ('unresolved', 'n_unresolved_stated', 'n_unresolved', 'n_unresolved_stated is distinct from n_unresolved'),
        ('resolved blind', 'n_blind_stated', 'n_blind', 'n_blind_stated is distinct from n_blind'),
        ('resolved with the gold answer', 'n_gold_stated', 'n_gold', 'n_gold_stated is distinct from n_gold'),
        ('won by debater A', 'n_winner_a_stated', 'n_winner_a', 'n_winner_a_stated is distinct from n_winner_a'),
        ('won by debater B', 'n_winner_b_stated', 'n_winner_b', 'n_winner_b_stated is distinct from n_winner_b'),
        ('spans of debater A verified', 'n_verified_a_stated', 'n_verified_a', 'n_verified_a_stated is distinct from n_verified_a'),
        ('spans of debater B verified', 'n_verified_b_stated', 'n_verified_b', 'n_verified_b_stated is distinct from n_verified_b'),
        ('shortest analysis', 'chars_min_stated', 'chars_min', 'chars_min_stated is distinct from chars_min'),
        ('median analysis', 'chars_median_stated', 'chars_median', 'chars_median_stated is distinct from chars_median'),
        ('longest analysis', 'chars_max_stated', 'chars_max', 'chars_max_stated is distinct from chars_max'),
    ],
    ('adjudication_rows', 'grounded'): [
        ('hash of the analysis', "'stated'", "'another'", 'not analysis_hash_matches'),
        ('length of the analysis', 'analysis_chars', "null", 'not chars_match'),
    ],
} %}

{%- set of_pairs = ['stage1_search', 'stage1_factors', 'stage2_generator', 'stage2_pair', 'cached_score', 'grounded'] %}

with searches as (
    select * from {{ ref('int_stored_searches') }}
),

factors as (
    select * from {{ ref('int_stored_factors') }}
),

paths as (
    select * from {{ ref('int_stored_paths') }}
),

matrices as (
    select distinct
        cohort,
        dataset,
        model,
        arm,
        matrix_sha256,
    from {{ ref('stg_stored_matrices') }}
),

bounds as (
    select * from {{ ref('stg_stored_bounds') }}
),

manifests as (
    select * from {{ ref('int_stored_manifests') }}
),

analyses as (
    select * from {{ ref('stg_stored_analyses') }}
),

stored_metrics as (
    select * from {{ ref('stg_stored_metrics') }}
),

tasks as (
    select * from {{ ref('int_task_counts') }}
    where stage = 'posterior'
),

cached_scores as (
    select * from {{ ref('stg_audit_cached_scores') }}
),

evaluations as (
    select * from {{ ref('int_evaluations') }}
    where stage = '2'
),

splits as (
    select * from {{ ref('int_stored_splits') }}
),

adjudication_manifests as (
    select * from {{ ref('int_stored_adjudications') }}
    where n_manifests is not null
),

-- A manifest without its rows differs in the number of items, and that says it all.
adjudications as (
    select * from adjudication_manifests
    where n_items is not null
),

adjudication_rows as (
    select * from {{ ref('stg_audit_adjudications') }}
),

-- The bound of a pair is the smallest of its generators' ones; a test that is not whole has none.
tested as (
    select
        file_id,
        pair_id,
        min(our_lower_bound) as smallest_bound,
        case
            when bool_or(our_status = 'DEGRADED') then 'DEGRADED'
            when bool_and(our_status = 'BUDGET_EXHAUSTED') then 'NO_COUNTEREXAMPLE'
            else 'INCOMPLETE'
        end as our_status,
    from paths
    group by all
),

pair_bounds as (
    select
        bounds.*,
        tested.our_status,
        case when tested.our_status <> 'INCOMPLETE' then tested.smallest_bound end as our_lower_bound,
    from bounds
    left join tested using (file_id, pair_id)
),

metrics as (
    select
        stored_metrics.*,
        tasks.n_questions + tasks.n_contradicted as n_questions,
        tasks.n_correct::double / nullif(tasks.n_questions, 0) as our_accuracy,
        tasks.p_e8_sum / (100000000::double * nullif(tasks.n_questions, 0)) as our_mean,
    from stored_metrics
    left join tasks using (cohort, dataset, model, arm, q_key)
),

-- A question that the second stage has scored under a role; one text may stand at several draws, with one score.
scored_questions as (
    select
        cohort,
        dataset,
        model,
        pool,
        arm,
        pair_id,
        q_key,
        question_sha256,
        min(p_e8) as lowest_e8,
        max(p_e8) as highest_e8,
    from evaluations
    group by all
),

-- A cache also holds what no landed result asked for: there is nothing to compare that with.
found as (
    select
        cached_scores.file_id,
        cached_scores.line_number,
        {%- for side in ['base', 'arm'] %}
        min({{ side }}.lowest_e8) as {{ side }}_e8,
        max({{ side }}.highest_e8) as {{ side }}_highest_e8,
        {%- endfor %}
    from cached_scores
    inner join scored_questions as arm
        on
            cached_scores.cohort = arm.cohort
            and cached_scores.dataset = arm.dataset
            and cached_scores.model = arm.model
            and cached_scores.arm = arm.arm
            and cached_scores.pair_id = arm.pair_id
            and cached_scores.q_key = arm.q_key
            and cached_scores.question_sha256 = arm.question_sha256
    inner join scored_questions as base
        on
            arm.cohort = base.cohort
            and arm.dataset = base.dataset
            and arm.model = base.model
            and arm.pool = base.pool
            and base.arm = 'base'
            and arm.pair_id = base.pair_id
            and arm.q_key = base.q_key
            and arm.question_sha256 = base.question_sha256
    group by all
),

cached as (
    select
        cached_scores.*,
        {%- for side in ['base', 'arm'] %}
        case
            when found.{{ side }}_e8 = found.{{ side }}_highest_e8
                then (found.{{ side }}_e8 // 100000000)::varchar || '.' || lpad((found.{{ side }}_e8 % 100000000)::varchar, 8, '0')
        end as our_{{ side }},
        {%- endfor %}
    from cached_scores
    inner join found using (file_id, line_number)
),

-- A summary names its matrices once, in all its records alike.
summaries as (
    select * from searches
    qualify row_number() over (partition by file_id order by line_number) = 1
),

differing as (
    {%- for relation, record in claims %}
    {%- for what, stored, recomputed, differs in claims[(relation, record)] %}
    select
        cohort,
        file_key,
        line_number,
        '{{ record }}' as record,
        dataset,
        {{ 'null' if record in ('split_summary', 'grounded_manifest', 'grounded') else 'model' }} as model,
        {{ 'null' if record in ('split_summary', 'grounded_manifest', 'grounded', 'stage1_complete') else 'arm' }} as arm,
        {{ 'pair_id' if record in of_pairs else 'null' }} as pair_id,
        '{{ what }}' as what,
        ({{ stored }})::varchar as stored,
        ({{ recomputed }})::varchar as recomputed,
    from {{ relation }}
    where {{ differs }}
    union all
    {%- endfor %}
    {%- endfor %}
    {%- for side, arm in [('base', "'base'"), ('arm', 'summaries.arm')] %}
    select
        summaries.cohort,
        summaries.file_key,
        summaries.line_number,
        'stage1_search' as record,
        summaries.dataset,
        summaries.model,
        summaries.arm,
        null as pair_id,
        'matrix of the {{ side }}' as what,
        summaries.{{ side }}_matrix_sha256 as stored,
        string_agg(matrices.matrix_sha256, ';' order by matrices.matrix_sha256) as recomputed,
    from summaries
    -- Where no matrix is landed, the paraphrases scored say so.
    inner join matrices
        on
            summaries.cohort = matrices.cohort
            and summaries.dataset = matrices.dataset
            and summaries.model = matrices.model
            and {{ arm }} = matrices.arm
    where summaries.{{ side }}_matrix_sha256 is not null
    group by all
    having not list_contains(list(matrices.matrix_sha256), summaries.{{ side }}_matrix_sha256)
    {{ 'union all' if not loop.last }}
    {%- endfor %}
)

select
    cohort,
    file_key,
    line_number,
    record,
    dataset,
    model,
    arm,
    pair_id,
    what,
    stored,
    recomputed,
from differing
