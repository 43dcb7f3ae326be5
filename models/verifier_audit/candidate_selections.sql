-- Which candidate transcript was selected for an item, beside the ones that the rules of the paper and of the code pick from the scores
-- (R18). Which candidates the gates for leakage and quotes dropped is not stated, only how many.

{%- set gates = [
    'total', 'no_score', 'drop_score', 'drop_leakage', 'drop_quote_audit', 'safe', 'survivors', 'qy_fallback_eligible',
    'qy_fallback_unusable', 'drop_qy_gate',
] %}

with candidates as (
    select * from {{ ref('stg_audit_candidates') }}
),

scores as (
    select
        *,
        {%- for share in ['p_hfalse', 'p_htrue', 'p_ytrue'] %}
        try_cast({{ share }} as double) as {{ share }}_value,
        {%- endfor %}
    from {{ ref('stg_audit_candidate_scores') }}
    -- A candidate has one score: the first line of a second copy.
    qualify row_number() over (partition by cohort, dataset, condition, item_id, candidate_idx order by file_id, line_number) = 1
),

selections as (
    select
        *,
        count(*) over same_item as n_selections,
    from {{ ref('stg_audit_selections') }}
    window same_item as (partition by cohort, dataset, condition, item_id)
    qualify row_number() over (same_item order by file_id, line_number) = 1
),

pairs as (
    select
        cohort,
        dataset,
        dataset_index,
        min(pair_id) as pair_id,
    from {{ ref('stg_audit_pairs') }}
    where dataset_index is not null
    group by all
    having count(distinct pair_id) = 1
),

listed as (
    select
        cohort,
        dataset,
        condition,
        item_id,
        count(distinct candidate_idx) as n_candidates,
        min(dataset_index) as dataset_index,
    from candidates
    group by all
),

items as (
    select
        cohort,
        dataset,
        condition,
        item_id,
    from listed
    union
    select
        cohort,
        dataset,
        condition,
        item_id,
    from scores
    union
    select
        cohort,
        dataset,
        condition,
        item_id,
    from selections
),

scored as (
    select
        cohort,
        dataset,
        condition,
        item_id,
        count(*) as n_scored,
        count(*) filter (qy_adv_correct) as n_right,
        -- The code takes an honest candidate without P(H_true) for one without a score.
        count(*) filter (condition = 'adversarial' or p_htrue_value is not null) as n_usable,
        count(*) filter (qy_adv_correct and (condition = 'adversarial' or p_htrue_value is not null)) as n_usable_right,
    from scores
    group by all
),

-- Of the adversarial candidates that are right, the gates may have dropped all; how many they left is stated.
pools as (
    select
        items.*,
        listed.dataset_index,
        coalesce(listed.n_candidates, 0) as n_candidates,
        coalesce(scored.n_scored, 0) as n_scored,
        coalesce(scored.n_right, 0) as n_right,
        coalesce(scored.n_usable, 0) as n_usable,
        coalesce(scored.n_usable_right, 0) as n_usable_right,
        selections.* exclude (cohort, file_id, file_key, directory, line_number, dataset, condition, item_id),
        if(items.condition = 'adversarial', coalesce(selections.survivors, scored.n_right), scored.n_usable_right) > 0 as is_primary,
        if(
            items.condition = 'adversarial',
            coalesce(selections.drop_leakage, 0) + coalesce(selections.drop_quote_audit, 0)
            + coalesce(selections.drop_score, 0) - coalesce(selections.no_score, 0),
            0
        ) as n_dropped_unseen,
    from items
    left join listed using (cohort, dataset, condition, item_id)
    left join scored using (cohort, dataset, condition, item_id)
    left join selections using (cohort, dataset, condition, item_id)
),

-- What each rule ranks by; null is not ranked.
rankings as (
    select
        pools.cohort,
        pools.dataset,
        pools.condition,
        pools.item_id,
        scores.candidate_idx,
        case
            when pools.condition = 'adversarial' and pools.is_primary then if(scores.qy_adv_correct, scores.p_hfalse_value, null)
            when pools.condition = 'adversarial' then if(not scores.qy_adv_correct, scores.p_ytrue_value, null)
            when pools.is_primary then if(scores.qy_adv_correct, scores.p_htrue_value, null)
            else scores.p_htrue_value
        end as code_value,
        -- For honest candidates the paper names the confidence in the monitored answer, with the same gate; the other rule is the code's.
        case
            when pools.condition = 'adversarial' then code_value
            when pools.n_right = 0 or scores.qy_adv_correct then scores.p_ytrue_value
        end as paper_value,
        pools.condition = 'honest' and (pools.n_right = 0 or scores.qy_adv_correct) and scores.p_ytrue_value is null as is_unranked,
    from pools
    inner join scores using (cohort, dataset, condition, item_id)
),

picked as (
    select
        cohort,
        dataset,
        condition,
        item_id,
        (list(candidate_idx order by code_value desc, candidate_idx asc) filter (code_value is not null))[1] as code_candidate_idx,
        -- Where a candidate that the rule looks at lacks its probability, which one the rule picks cannot be told.
        if(
            bool_or(is_unranked),
            null,
            (list(candidate_idx order by paper_value desc, candidate_idx asc) filter (paper_value is not null))[1]
        ) as paper_candidate_idx,
    from rankings
    group by all
),

-- Candidates that the rule of the code puts before the stored one.
ahead as (
    select
        pools.cohort,
        pools.dataset,
        pools.condition,
        pools.item_id,
        bool_or(own.code_value is not null) as is_ranked,
        count(*) filter (
            rankings.code_value > own.code_value
            or (rankings.code_value = own.code_value and rankings.candidate_idx < own.candidate_idx)
        ) as n_ahead,
    from pools
    inner join rankings as own
        on
            pools.cohort = own.cohort
            and pools.dataset = own.dataset
            and pools.condition = own.condition
            and pools.item_id = own.item_id
            and pools.candidate_idx = own.candidate_idx
    inner join rankings
        on
            pools.cohort = rankings.cohort
            and pools.dataset = rankings.dataset
            and pools.condition = rankings.condition
            and pools.item_id = rankings.item_id
    group by all
)

select
    pools.cohort,
    pools.dataset,
    pools.condition,
    pools.item_id,
    pairs.pair_id,
    coalesce(pools.n_selections, 0) as n_selections,
    pools.status,
    case
        when pools.candidate_idx is null then null
        when pools.branch = 'primary' or pools.fallback_used = false then 'primary'
        when pools.branch is not null or pools.fallback_used then 'fallback'
        when pools.status = 'ok' then 'primary'
        else 'fallback'
    end as branch,
    pools.candidate_idx as stored_candidate_idx,
    picked.paper_candidate_idx,
    picked.code_candidate_idx,
    case
        when pools.n_selections is null then null
        when pools.candidate_idx is null
            then case
                when pools.condition = 'adversarial' and pools.survivors + pools.qy_fallback_eligible = 0 then 'nothing to select'
                when pools.condition = 'honest' and pools.n_usable = 0 then 'nothing to select'
                when pools.condition = 'adversarial' and pools.survivors is null then 'unknown'
                else 'neither'
            end
        when pools.candidate_idx = picked.paper_candidate_idx and pools.candidate_idx = picked.code_candidate_idx then 'both'
        when pools.candidate_idx = picked.code_candidate_idx then 'code'
        when pools.candidate_idx = picked.paper_candidate_idx then 'paper'
        when pools.n_scored = 0 then 'unknown'
        when ahead.is_ranked and ahead.n_ahead <= pools.n_dropped_unseen then 'within the gates'
        else 'neither'
    end as follows_rule,
    pools.n_candidates,
    pools.n_scored,
    pools.n_right,
    ahead.n_ahead,
    {%- for gate in gates %}
    pools.{{ gate }},
    {%- endfor %}
    case
        when coalesce(
            {%- for gate in gates %}
            pools.{{ gate }}{{ ',' if not loop.last }}
            {%- endfor %}
        ) is null then null
        when pools.drop_qy_gate is not null then coalesce(pools.total = pools.no_score + pools.drop_qy_gate + pools.survivors, false)
        else coalesce(
            pools.total = pools.drop_score + pools.drop_leakage + pools.drop_quote_audit + pools.safe
            and pools.safe = pools.survivors + pools.qy_fallback_eligible + pools.qy_fallback_unusable
            and pools.no_score <= pools.drop_score,
            false
        )
    end as gates_add_up,
    case
        when pools.total is null or pools.n_candidates = 0 then null
        when pools.drop_qy_gate is not null
            then coalesce(
                pools.total = pools.n_candidates
                and pools.no_score = pools.n_candidates - pools.n_usable
                and pools.survivors = pools.n_usable_right,
                false
            )
        else coalesce(
            pools.total = pools.n_candidates
            and pools.no_score = pools.n_candidates - pools.n_scored
            and pools.survivors <= pools.n_right
            and pools.qy_fallback_eligible + pools.qy_fallback_unusable <= pools.n_scored - pools.n_right,
            false
        )
    end as gates_match_scores,
from pools
left join picked using (cohort, dataset, condition, item_id)
left join ahead using (cohort, dataset, condition, item_id)
left join pairs using (cohort, dataset, dataset_index)
order by pools.cohort, pools.dataset, pools.condition, pools.item_id
