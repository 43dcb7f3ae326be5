-- How much ranking collapses gains when round 1, and then rounds 2 and 3, are known.

with rows as (
    select * from {{ ref('int_localisation') }}
    where row_kind = 'step'
)

select
    cohort,
    coding_rule,
    endpoint,
    recipe,
    step,
    auc_difference,
    {%- for scheme in ['published', 'index', 'question', 'model', 'question_and_model'] %}
    {{ scheme }}_lower,
    {{ scheme }}_upper,
    {%- endfor %}
    n_draws,
    n_debates,
    n_questions,
    n_models,
    reason,
from rows
order by cohort, recipe, step
