-- How well a model that never saw a debate ranks it by whether it collapses.

with rows as (
    select * from {{ ref('int_localisation') }}
    where row_kind = 'auc'
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
from rows
order by cohort, scope, recipe, features
