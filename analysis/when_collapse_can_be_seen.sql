-- From which round on can one tell the debates that collapse from those that do not?
-- One row per cohort, scope, recipe and what is known. auc is out of fold: the chance that a debate that collapses is ranked above one
-- that does not (0.5 is a coin), over auc_n debates of which n_collapse collapse. Features use the answer key, so this diagnoses and
-- does not warn.
select
    cohort,
    scope,
    recipe,
    features,
    auc,
    fold_mean_auc,
    n_collapse,
    auc_n,
    reason,
from localisation_aucs
inner join cohorts using (cohort, coding_rule, endpoint)
order by cohort, recipe, scope, auc
