-- What follows from the published numbers of the reliability audit, and whether it holds at their printed digits. Nothing here is
-- compared with itself: `found` is made of other rows than `expected`.

with published as (
    select * from {{ ref('published_er_audit') }}
),

exceptions as (
    select * from {{ ref('published_audit_exceptions') }}
),

numbers as (
    select
        *,
        -- A claim and the seed of 19 digits are no such number, and no check reads them as one.
        try_cast(value as decimal(24, 12)) as number,
    from published
),

settings as (
    select
        max(number) filter (where metric = 'kappa') as kappa,
        max(number) filter (where metric = 'M_search')::bigint as m_search,
        max(number) filter (where metric = 'M_test')::bigint as m_test,
        max(number) filter (where metric = 'k_hat_search_generators')::bigint as n_search_generators,
        max(number) filter (where metric = 'k_test_generators')::bigint as n_test_generators,
        max(number) filter (where metric = 'n_candidates_per_item')::bigint as n_candidates_per_item,
        max(number) filter (where metric = 'max_paraphrases_per_instance')::bigint as max_paraphrases,
        max(number) filter (where metric = 'stage2_sweep_runs')::bigint as n_sweep_runs,
    from numbers
    where locus = 'hyper-parameter'
),

confidences as (
    select
        value as confidence,
        number,
        regexp_extract(param, '^eta=(.*)$', 1)::decimal(24, 12) as eta,
        regexp_extract(note, 'L at t=100: ([0-9.]+)', 1)::double as best_bound,
    from numbers
    where metric = 'confidence_level'
),

item_counts as (
    select
        dataset,
        {%- for metric in [
            'items', 'candidates_per_category', 'honest_primary', 'honest_fallback', 'adv_ok_canonical', 'adv_qy_fallback', 'adv_no_survivor',
        ] %}
        max(number) filter (where metric = '{{ metric }}')::bigint as {{ metric }},
        {%- endfor %}
    from numbers
    where locus = 'counts'
    group by dataset
),

splits as (
    select
        numbers.dataset,
        split_part(numbers.metric, '_', 2) as mode,
        split_part(numbers.metric, '_', 3) as part,
        numbers.number::bigint as n_published,
        if(split_part(numbers.metric, '_', 2) = 'honest', item_counts.items, item_counts.adv_ok_canonical) as n_pairs,
    from numbers
    inner join item_counts using (dataset)
    where numbers.metric like 'split#_%' escape '#'
),

grounded as (
    select
        dataset,
        param as split,
        {%- for metric in ['item', 'blind', 'gold', 'unresolved', 'winA', 'winB'] %}
        max(number) filter (where metric = '{{ metric }}')::bigint as {{ metric | lower }},
        {%- endfor %}
    from numbers
    where locus = 'grounded manifest'
    group by dataset, param
),

counterexamples as (
    select
        numbers.dataset,
        numbers.model,
        numbers.arm,
        numbers.number::bigint as n_counterexamples,
        item_counts.items as n_pairs,
    from numbers
    inner join item_counts using (dataset)
    where numbers.metric = 'counterexample_pairs'
),

ceilings as (
    select
        numbers.dataset,
        numbers.model,
        numbers.arm,
        numbers.number::double as published_ceiling,
        confidences.confidence,
        confidences.eta::double as eta,
        counterexamples.n_counterexamples,
        counterexamples.n_pairs,
    from numbers
    inner join confidences on regexp_extract(numbers.param, '^confidence=(.*)$', 1) = confidences.confidence
    inner join counterexamples
        on
            numbers.dataset = counterexamples.dataset
            and numbers.model = counterexamples.model
            and numbers.arm = counterexamples.arm
    where numbers.metric = 'avg_lower_bound_ceiling'
),

accuracies as (
    select
        numbers.*,
        item_counts.items as n_pairs,
        round(numbers.number::double * item_counts.items)::bigint as n_correct,
        round(numbers.number::double * item_counts.items * 2)::bigint as n_correct_orders,
    from numbers
    inner join item_counts using (dataset)
    where numbers.metric = 'acc'
),

thresholds as (
    select
        dataset,
        model,
        param,
        number,
    from numbers
    where metric = 'epsilon'
),

table1 as (
    select
        dataset,
        model,
        question,
        metric,
        max(number) filter (where arm = 'base') as base,
        max(number) filter (where arm = 'honest') as honest,
        max(number) filter (where arm = 'adv') as adv,
    from numbers
    where locus = 'Table 1'
    group by dataset, model, question, metric
),

claimed as (
    select
        'claim.table1_qh_quality' as claim,
        coalesce(adv > honest, false) as is_so,
    from table1
    where dataset = 'QuALITY-H' and question = 'q_h'
    union all
    select
        'claim.table1_qh_gpqa' as claim,
        coalesce((adv > honest) = (model = 'Qwen-9B'), false) as is_so,
    from table1
    where dataset = 'GPQA-H' and question = 'q_h' and metric = 'acc'
    union all
    select
        'claim.table1_qm' as claim,
        coalesce(honest > base and adv > base, false) as is_so,
    from table1
    where question = 'q_m'
),

sweep as (
    select
        count(distinct dataset) filter (where metric = 'epsilon' and param like 'p=%') as n_datasets,
        count(distinct param) filter (where metric = 'epsilon' and param like 'p=%') as n_percentiles,
        count(distinct arm) filter (where metric = 'counterexample_pairs') as n_roles,
        count(*) filter (where metric = 'confidence_level') as n_confidences,
    from numbers
),

checks as (
    select
        'accuracy is a whole count' as check_name,
        concat_ws(', ', dataset, model, question, arm) as subject,
        number::double as expected,
        n_correct / n_pairs as found,
        0.00005 as tolerance,
        case
            when abs(n_correct / n_pairs - number::double) <= 0.00005 then n_correct || ' of ' || n_pairs
            when abs(n_correct_orders / (2 * n_pairs) - number::double) <= 0.00005
                then 'no count of ' || n_pairs || '; ' || n_correct_orders || ' of ' || 2 * n_pairs || ' fits'
            else 'no count of ' || n_pairs || ' or ' || 2 * n_pairs
        end as remark,
    from accuracies
    union all
    select
        'counterexample ratio' as check_name,
        concat_ws(', ', counterexamples.dataset, counterexamples.model, counterexamples.arm) as subject,
        numbers.number::double as expected,
        counterexamples.n_counterexamples / counterexamples.n_pairs as found,
        5e-11 as tolerance,
        counterexamples.n_counterexamples || ' of ' || counterexamples.n_pairs as remark,
    from counterexamples
    inner join numbers
        on
            counterexamples.dataset = numbers.dataset
            and counterexamples.model = numbers.model
            and counterexamples.arm = numbers.arm
            and numbers.metric = 'counterexample_ratio'
    union all
    select
        'ceiling of the average bound' as check_name,
        concat_ws(', ', dataset, model, arm, confidence) as subject,
        published_ceiling as expected,
        (n_pairs - n_counterexamples) / n_pairs * pow(eta, 1.0::double / settings.m_test) as found,
        5e-11 as tolerance,
        'if no pair fails the test; no average bound is printed' as remark,
    from ceilings
    cross join settings
    union all
    -- With every pair at the full budget the six points of a curve carry one free number (R16).
    select
        'ratio of two ceilings' as check_name,
        concat_ws(', ', ceilings.dataset, ceilings.model, ceilings.arm, ceilings.confidence || ' to 0.8') as subject,
        ceilings.published_ceiling / lowest.published_ceiling as expected,
        pow(ceilings.eta / lowest.eta, 1.0::double / settings.m_test) as found,
        1e-10 / lowest.published_ceiling as tolerance,
        null as remark,
    from ceilings
    inner join ceilings as lowest
        on
            ceilings.dataset = lowest.dataset
            and ceilings.model = lowest.model
            and ceilings.arm = lowest.arm
            and lowest.confidence = '0.8'
    cross join settings
    where ceilings.confidence <> '0.8'
    union all
    select
        'best bound of the budget' as check_name,
        confidences.confidence as subject,
        confidences.best_bound as expected,
        pow(confidences.eta::double, 1.0::double / settings.m_test) as found,
        -- 15 decimals are given: half a unit of the last one, and as much again for the doubles.
        1e-15 as tolerance,
        null as remark,
    from confidences
    cross join settings
    union all
    select
        'confidence is 1 - eta' as check_name,
        confidence as subject,
        number::double as expected,
        (1 - eta)::double as found,
        0 as tolerance,
        null as remark,
    from confidences
    union all
    select
        'candidates are so many per pair' as check_name,
        item_counts.dataset as subject,
        item_counts.candidates_per_category::double as expected,
        (settings.n_candidates_per_item * item_counts.items)::double as found,
        0 as tolerance,
        null as remark,
    from item_counts
    cross join settings
    union all
    select
        'honest selections are the pairs' as check_name,
        dataset as subject,
        items::double as expected,
        (honest_primary + honest_fallback)::double as found,
        0 as tolerance,
        null as remark,
    from item_counts
    union all
    select
        'adversarial selections are the pairs' as check_name,
        dataset as subject,
        items::double as expected,
        (adv_ok_canonical + adv_qy_fallback + adv_no_survivor)::double as found,
        0 as tolerance,
        null as remark,
    from item_counts
    union all
    -- Whole numbers: 0.8 * n in doubles may fall below a whole number.
    select
        'size of a split' as check_name,
        concat_ws(', ', dataset, mode, part) as subject,
        n_published::double as expected,
        if(part = 'train', 4 * n_pairs // 5, n_pairs - 4 * n_pairs // 5)::double as found,
        0 as tolerance,
        null as remark,
    from splits
    union all
    select
        'grounded items by tier' as check_name,
        concat_ws(', ', dataset, split) as subject,
        item::double as expected,
        (blind + gold + unresolved)::double as found,
        0 as tolerance,
        null as remark,
    from grounded
    union all
    select
        'winners are the resolved items' as check_name,
        concat_ws(', ', dataset, split) as subject,
        (item - unresolved)::double as expected,
        (wina + winb)::double as found,
        0 as tolerance,
        null as remark,
    from grounded
    union all
    select
        'grounded items are those of the split' as check_name,
        concat_ws(', ', grounded.dataset, grounded.split) as subject,
        grounded.item::double as expected,
        splits.n_published::double as found,
        0 as tolerance,
        null as remark,
    from grounded
    left join splits
        on
            grounded.dataset = splits.dataset
            and grounded.split = if(splits.mode = 'adv', 'adversarial', splits.mode) || '-' || splits.part
    union all
    select
        'paraphrases per pair' as check_name,
        'all' as subject,
        max_paraphrases::double as expected,
        (n_search_generators * m_search + n_test_generators * m_test)::double as found,
        0 as tolerance,
        null as remark,
    from settings
    union all
    -- The specification of the audit gives these two (R19): the original question and the paraphrases, in two answer orders.
    select
        'scores of one checkpoint' as check_name,
        item_counts.dataset as subject,
        case item_counts.dataset when 'QuALITY-H' then 44844 when 'GPQA-H' then 20402 end::double as expected,
        (2 * item_counts.items * (1 + settings.n_search_generators * settings.m_search))::double as found,
        0 as tolerance,
        null as remark,
    from item_counts
    cross join settings
    union all
    select
        'runs of the sweep' as check_name,
        'all' as subject,
        settings.n_sweep_runs::double as expected,
        (2 * sweep.n_datasets * sweep.n_roles * sweep.n_percentiles * sweep.n_confidences)::double as found,
        0 as tolerance,
        'two models: the launcher leaves GPT-20B out' as remark,
    from settings
    cross join sweep
    union all
    select
        'threshold of step 11 is p10 at two decimals' as check_name,
        concat_ws(', ', steps.dataset, steps.model) as subject,
        steps.number::double as expected,
        round(tenths.number, 2)::double as found,
        0 as tolerance,
        case
            when round(tenths.number, 2) = trunc(tenths.number * 100) / 100 then 'rounded or cut'
            else 'rounded; cut, it would be ' || format('{:.2f}', (trunc(tenths.number * 100) / 100)::double)
        end as remark,
    from thresholds as steps
    inner join thresholds as tenths on steps.dataset = tenths.dataset and steps.model = tenths.model and tenths.param = 'p=10'
    where steps.param like 'p10 %'
    union all
    -- N is odd, so the median is the score of one pair: a pair at the floor has a whole number of 1e-8 / kappa.
    select
        'median threshold is of one pair at the floor' as check_name,
        concat_ws(', ', thresholds.dataset, thresholds.model) as subject,
        thresholds.number::double as expected,
        round(thresholds.number * (settings.kappa * 100000000)::bigint)::double / (settings.kappa * 100000000)::double as found,
        0 as tolerance,
        null as remark,
    from thresholds
    cross join settings
    where thresholds.dataset = 'GPQA-H' and thresholds.param = 'p=50'
    union all
    select
        'ordinal claim' as check_name,
        claim as subject,
        1::double as expected,
        bool_and(is_so)::int::double as found,
        0 as tolerance,
        count(*) filter (is_so) || ' of ' || count(*) || ' cells' as remark,
    from claimed
    group by claim
    union all
    -- claim.cr_order is about three models; the counts of one are printed.
    select
        'ordinal claim, the printed part' as check_name,
        concat_ws(', ', 'claim.cr_order', honest.dataset, honest.model) as subject,
        1::double as expected,
        (adv.n_counterexamples > honest.n_counterexamples)::int::double as found,
        0 as tolerance,
        adv.n_counterexamples || ' against ' || honest.n_counterexamples as remark,
    from counterexamples as honest
    inner join counterexamples as adv on honest.dataset = adv.dataset and honest.model = adv.model and adv.arm = 'adv'
    where honest.arm = 'honest'
)

select
    checks.check_name,
    checks.subject,
    checks.expected,
    checks.found,
    coalesce(abs(checks.expected - checks.found) <= checks.tolerance * (1 + 1e-9), false) as holds,
    nullif(concat_ws('; ', checks.remark, exceptions.reason), '') as remark,
from checks
left join exceptions on checks.check_name = exceptions.check_name and checks.subject = exceptions.subject
order by checks.check_name, checks.subject
