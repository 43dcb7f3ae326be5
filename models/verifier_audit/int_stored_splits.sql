-- Splits into train and eval parts: what the file states, what its items are, and the rows of fine-tuning beside it.

with summaries as (
    select * from {{ ref('stg_audit_split_summaries') }}
),

items as (
    select * from {{ ref('stg_audit_splits') }}
),

training_rows as (
    select * from {{ ref('stg_audit_training_rows') }}
),

places as (
    select
        file_id,
        dataset,
        mode,
        pair_id,
        count(distinct split) as n_parts,
        count(*) filter (split = 'train') as n_train,
        count(*) filter (split = 'eval') as n_eval,
        min(split) as split,
    from items
    group by all
),

counted as (
    select
        file_id,
        dataset,
        mode,
        sum(n_train)::bigint as n_train,
        sum(n_eval)::bigint as n_eval,
        count(*) filter (n_parts > 1) as n_pairs_in_both,
        count(*) filter (n_train + n_eval > 1) as n_pairs_repeated,
    from places
    group by all
),

-- Rows of one directory belong to the split of their mode that lies in it.
trained as (
    select
        summaries.file_id,
        summaries.line_number,
        count(*) filter (training_rows.split = 'train' and training_rows.q_key = 'Q_Y') as n_training_rows,
        count(*) filter (training_rows.split = 'eval' and training_rows.q_key = 'Q_Y') as n_eval_rows,
        count(*) filter (training_rows.q_key = 'Q_H') as n_hidden_rows,
        count(*) filter (places.n_parts is distinct from 1 or places.split is distinct from training_rows.split) as n_rows_elsewhere,
    from summaries
    inner join training_rows using (cohort, directory, dataset, mode)
    left join places
        on
            summaries.file_id = places.file_id
            and summaries.dataset = places.dataset
            and summaries.mode = places.mode
            and training_rows.pair_id = places.pair_id
    group by all
)

select
    summaries.* exclude (n_train, n_eval),
    summaries.n_train as n_train_stated,
    summaries.n_eval as n_eval_stated,
    coalesce(counted.n_train, 0) as n_train,
    coalesce(counted.n_eval, 0) as n_eval,
    coalesce(counted.n_pairs_in_both, 0) as n_pairs_in_both,
    coalesce(counted.n_pairs_repeated, 0) as n_pairs_repeated,
    coalesce(trained.n_training_rows, 0) as n_training_rows,
    coalesce(trained.n_eval_rows, 0) as n_eval_rows,
    coalesce(trained.n_hidden_rows, 0) as n_hidden_rows,
    coalesce(trained.n_rows_elsewhere, 0) as n_rows_elsewhere,
from summaries
left join counted using (file_id, dataset, mode)
left join trained using (file_id, line_number)
