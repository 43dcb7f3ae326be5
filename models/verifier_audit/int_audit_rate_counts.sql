{{ config(materialized='view') }}

with searches as (
    select * from {{ ref('int_search_counts') }}
),

tasks as (
    select * from {{ ref('int_task_counts') }}
)

{{ rate_pairs('searches', [('counterexample_ratio', 'n_counterexample', 'n_decided_pairs')]) }}
union
{{ rate_pairs('tasks', [('accuracy', 'n_correct', 'n_questions')]) }}
