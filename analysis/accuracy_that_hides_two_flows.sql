-- Which models move most under an accuracy that hardly changes?
-- One row per cohort and model. A debate is moved when it ends on the other side of the key (collapse or correction); moved, net and the
-- accuracies are over the debates that the rule can code. moved_per_net is how many debates change sides for one net change: 1 means
-- that all went one way, empty that both flows cancel.
select
    cohort,
    model,
    n_defined,
    initial_accuracy,
    final_accuracy,
    n_collapse + n_correction as n_moved,
    net_corrections,
    final_accuracy - initial_accuracy as accuracy_change,
    (n_collapse + n_correction) / nullif(n_defined, 0) as moved_share,
    (n_collapse + n_correction) / nullif(abs(net_corrections), 0) as moved_per_net,
from model_ledger
order by cohort asc, moved_per_net desc nulls first, model asc
