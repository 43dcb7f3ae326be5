-- Does collapse differ between families of models, or only between models?
-- One row per cohort and family. conditional_collapse pools the debates of the family, so a model with many debates decides it (its
-- denominator is conditional_collapse_n); mean_conditional_collapse is the mean over n_models model rows, each counting once. lowest and
-- highest are those of its models. With one model a family says nothing about families.
with model_range as (
    select
        cohort,
        family,
        min(conditional_collapse) as lowest_model,
        max(conditional_collapse) as highest_model,
    from model_ledger
    group by all
)

select
    family_ledger.cohort,
    family_ledger.family,
    family_ledger.n_models,
    family_ledger.n_debates,
    family_ledger.n_collapse,
    family_ledger.conditional_collapse_n,
    family_ledger.conditional_collapse,
    family_ledger.conditional_collapse_ci_lower,
    family_ledger.conditional_collapse_ci_upper,
    family_ledger.mean_conditional_collapse,
    model_range.lowest_model,
    model_range.highest_model,
    family_ledger.net_corrections,
from family_ledger
left join model_range using (cohort, family)
order by family_ledger.cohort, family_ledger.family
