-- Train and eval parts as the split files state them, beside a count of their items and of the rows of fine-tuning.

with splits as (
    select * from {{ ref('int_stored_splits') }}
)

select
    file_key,
    line_number,
    cohort,
    dataset,
    mode,
    split_seed,
    n_train_stated,
    n_train,
    n_eval_stated,
    n_eval,
    coalesce(n_train_stated = n_train and n_eval_stated = n_eval, false) as sizes_match,
    n_train_stories,
    n_eval_stories,
    follows_rule,
    n_pairs_in_both,
    n_pairs_repeated,
    n_training_rows,
    n_eval_rows,
    n_hidden_rows,
    n_rows_elsewhere,
from splits
order by cohort, dataset, mode, file_key, line_number
