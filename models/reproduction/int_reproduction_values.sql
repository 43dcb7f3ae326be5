-- Every number that a published statistic may be compared with: relation, row and column where it stands.

with computed as (
    {{ reproduction_values(
        'associations',
        "cohort, level, grouping, selection_kind, selection, predictor, outcome, coalesce(controls, '-')",
        ['rho', 'rho_ci_lower', 'rho_ci_upper', 'p_t_two_sided', 'p_t_greater', 'p_two_sided', 'p_greater', 'kendall_tau', 'kendall_p'],
        "alpha_definition = 'as published'"
    ) }}
    union all
    {{ reproduction_values('association_draws', 'cohort, method, selection', ['rho_median', 'rho_ci_lower', 'rho_ci_upper'],
        "alpha_definition = 'as published'") }}
    union all
    {{ reproduction_values(
        'inference_summary',
        'cohort',
        [
            'effective_families', 'prediction_rho', 'prediction_p', 'mean_rank_error', 'n_covered_80', 'n_covered_95',
            'n_propagated_covered_80', 'n_propagated_covered_95', 'n_pairs', 'n_reordered', 'n_follow_alpha', 'n_follow_accuracy',
            'n_follow_neither', 'n_pairs_p_below_05', 'n_pairs_significant', 'families_needed_given_accuracy',
        ],
        "alpha_definition = 'as published'"
    ) }}
    union all
    {{ reproduction_values('model_pairs', 'cohort, first_model, second_model', ['p'], "alpha_definition = 'as published'") }}
    union all
    {{ reproduction_values('trait_comparisons', 'cohort, trait', ['mann_whitney_u', 'p_less'], "alpha_definition = 'as published'") }}
    union all
    {{ reproduction_values('dose_ladders', 'experiment, model', ['rho', 'p_greater_untied', 'floor_p']) }}
    union all
    {{ reproduction_values('dose_trends', 'experiment', ['median_rho', 'page_l', 'page_p']) }}
    union all
    {{ reproduction_values('paired_tests', 'source, comparison, outcome', ['p_exact', 'chi_square', 'p_chi_square']) }}
    union all
    {{ reproduction_values('condition_effect_families', 'folder, family', ['mean_d', 'n_significant']) }}
    union all
    {{ reproduction_values('published_screen_checks', 'source, published_row, statistic', ['recomputed']) }}
    union all
    {{ reproduction_values(
        'published_ledgers',
        "source_table, source_row, if(is_pool, 'pool', 'row')",
        [
            'n_initial_correct', 'n_collapse', 'n_correction', 'n_onset_r1', 'net_corrections', 'conditional_collapse',
            'final_accuracy_percent',
        ]
    ) }}
    union all
    {{ reproduction_values('published_replays', 'source_table, cohort, policy',
        ['n_prevented', 'n_lost', 'net_prevented', 'accuracy_change_points', 'break_even_weight']) }}
    union all
    {{ reproduction_values('localisation_aucs', 'cohort, scope, recipe, features', ['auc', 'fold_mean_auc']) }}
    union all
    {{ reproduction_values('localisation_steps', 'cohort, recipe, step', ['auc_difference', 'published_lower', 'published_upper']) }}
    union all
    {{ reproduction_values('published_sums', 'source_table, statistic', ['statistic_value']) }}
    union all
    {{ reproduction_values('published_audit_checks', 'check_name, subject', ['found']) }}
    union all
    {{ reproduction_values('cohort_ledger', 'cohort', ['n_debates', 'n_collapse', 'n_onset_r1', 'n_onset_r2', 'n_onset_r3']) }}
    union all
    {{ reproduction_values('model_ledger', 'cohort, model',
        [('accuracy_change_points', '100 * (n_final_correct - n_initial_correct) / nullif(n_debates, 0)')]) }}
    union all
    {{ reproduction_values('round_ledger', 'cohort, model, round',
        ['n_majority_changed_from_previous', ('unanimous_percent', '100 * n_unanimous / nullif(is_unanimous_n, 0)')]) }}
    union all
    {{ reproduction_values('transitions', 'cohort, model, coding_rule, endpoint', ['n_correction']) }}
)

select * from computed
