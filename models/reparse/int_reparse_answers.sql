{{ config(materialized='view') }}

-- The answers one below the other: those of the lines, and those of the texts under each profile that reads their kind.

with answers as (
    select * from {{ ref('int_coded_answers') }}
)

select
    debate_id,
    place,
    agent_position,
    'stored' as profile,
    stored_answer as answer,
    null::varchar as coder_rule,
from answers
{%- for profile in coder_profiles() %}
union all
select
    debate_id,
    place,
    agent_position,
    '{{ profile }}' as profile,
    {{ profile }}_answer as answer,
    {{ profile }}_rule as coder_rule,
from answers
where answer_kind in ('choice', 'label'{{ ", 'yes_no'" if profile == 'robust' }})
{%- endfor %}
