-- How well a model that never saw a debate ranks it by whether it collapses.

with rows as (
    select * from {{ ref('int_localisation') }}
    where row_kind = 'auc'
),

left_out as (
    select
        cohort,
        count(*) filter (is_r1_flip_unknown) as n_flips_unknown,
    from {{ ref('int_localisation_rows') }}
    group by all
)

select
    cohort,
    coding_rule,
    endpoint,
    scope,
    recipe,
    features,
    auc,
    auc_n,
    n_collapse,
    fold_mean_auc,
    n_folds,
    reason,
    -- Of the whole cohort, whatever the scope.
    coalesce(left_out.n_flips_unknown, 0) as n_flips_unknown,
from rows
left join left_out using (cohort)
order by cohort, scope, recipe, features
