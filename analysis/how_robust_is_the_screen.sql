-- How does the correlation of flip rate and conditional collapse change when a family is left out or families are drawn anew?
-- One row per cohort, definition of alpha_tot, level (model rows or family means) and selection (a family may be left out by itself, or
-- as one of several). rho is over rho_n rows or families; as_extreme counts the orders of these rows that correlate at least as
-- strongly, out of all or of those drawn (permutation_method). The bootstrap draws families, and stands beside model rows only.
select
    associations.cohort,
    associations.alpha_definition,
    associations.level,
    associations.selection_kind,
    associations.selection,
    associations.rho,
    associations.rho_n,
    associations.n_two_sided || ' of ' || associations.n_orders as as_extreme,
    associations.permutation_method,
    associations.p_two_sided,
    association_draws.rho_ci_lower as bootstrap_lower,
    association_draws.rho_ci_upper as bootstrap_upper,
    association_draws.n_families as bootstrap_families,
    coalesce(associations.reason, association_draws.reason) as reason,
from associations
left join association_draws
    on
        associations.cohort = association_draws.cohort
        and associations.alpha_definition = association_draws.alpha_definition
        and associations.selection = association_draws.selection
        and associations.level = 'model'
        and association_draws.method = 'family bootstrap'
where
    associations.predictor = 'alpha_tot'
    and associations.controls is null
    and associations.grouping = 'families'
    and associations.selection_kind in ('all', 'without family', 'without families')
    and associations.level in ('model', 'family mean')
order by
    associations.cohort, associations.alpha_definition, associations.level, associations.selection_kind, associations.selection
