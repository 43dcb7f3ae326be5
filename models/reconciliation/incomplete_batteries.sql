-- Batteries that are not what the screen was made for: they count all the same, as far as they go.

with batteries as (
    select * from {{ ref('stg_probe_rows') }}
),

counted as (
    select
        battery_id,
        n_replies,
        n_cells,
        label_source,
    from {{ ref('int_probe_batteries') }}
),

-- Dialects G and J store no replies, and an agent without a first answer is not probed.
joined as (
    select
        batteries.*,
        counted.n_cells,
        counted.label_source,
        counted.battery_id is not null as is_counted,
    from batteries
    left join counted using (battery_id)
)

select
    battery_key,
    question_id,
    'no first answer' as what,
    null::varchar as found,
from joined
where initial_answer is null
union all
select
    battery_key,
    question_id,
    'not eight replies' as what,
    n_replies::varchar as found,
from joined
where has_replies and n_replies not in (0, 8)
union all
select
    battery_key,
    question_id,
    'no replies' as what,
    null as found,
from joined
where initial_answer is not null and n_replies = 0 and coalesce(stored_n_replies, 0) = 0
union all
select
    battery_key,
    question_id,
    'no number of revised replies, or more than replies' as what,
    coalesce(stored_n_revised::varchar || ' of ', '') || stored_n_replies as found,
from joined
where not has_replies and stored_n_replies > 0 and not is_counted
union all
select
    battery_key,
    question_id,
    'not each strength once solo and once social' as what,
    n_cells::varchar as found,
from joined
where n_replies = 8 and n_cells < 8
union all
select
    battery_key,
    question_id,
    'repeat is no whole number' as what,
    null as found,
from joined
where has_odd_repeat
union all
select
    battery_key,
    question_id,
    'unknown condition' as what,
    condition as found,
from joined
where condition not in ('default', 'anti_social', 'anti_argument')
union all
select
    battery_key,
    question_id,
    'no answer key' as what,
    null as found,
from joined
where is_counted and label_source is null
