-- Counts of replies, from which every flip rate is made. The published study has such counts and no rows; they enter beside ours.

with batteries as (
    select * from {{ ref('int_probe_batteries') }}
),

replies as (
    select * from {{ ref('int_probe_replies') }}
),

published as (
    select * from {{ ref('published_alpha_split_channel_counts') }}
),

published_names as (
    select * from {{ ref('published_probe_models') }}
),

models as (
    select * from {{ ref('models') }}
),

lanes as (
    select * from {{ ref('int_probe_lanes') }}
),

judged as (
    select
        batteries.lane_id,
        batteries.condition,
        case
            when replies.is_social then 'social'
            when not replies.is_social then 'solo'
            else 'unknown'
        end as channel,
        coalesce(replies.strength, 'unknown') as strength,
        replies.post_answer_state,
        replies.is_revised,
        replies.is_flip,
        replies.stored_revised,
        batteries.initial_correct,
        batteries.correct_label is not null as has_key,
        replies.post_answer = batteries.correct_label as is_post_correct,
    from replies
    inner join batteries using (battery_id)
),

counted as (
    select
        lane_id,
        condition,
        channel,
        strength,
        count(*) as n_replies,
        count(*) filter (post_answer_state = 'unparsed') as n_unparsed,
        count(*) filter (is_flip) as n_flip,
        count(*) filter (stored_revised) as n_stored_flip,
        count(*) filter (initial_correct) as n_replies_initial_right,
        count(*) filter (not initial_correct) as n_replies_initial_wrong,
        count(is_revised) as n_compared,
        count(*) filter (is_revised) as n_compared_flip,
        -- Trials with two answers and a key.
        count(is_revised) filter (initial_correct) as n_initial_right,
        count(is_revised) filter (not initial_correct and has_key) as n_initial_wrong,
        count(*) filter (initial_correct and is_revised) as n_adv,
        count(*) filter (not initial_correct and is_revised and is_post_correct) as n_cor,
        count(*) filter (not initial_correct and is_revised and not is_post_correct) as n_neutral,
        count(*) filter (is_revised and (initial_correct is null or (not initial_correct and not has_key))) as n_flip_without_key,
    from judged
    group by all
)

select
    lanes.lane,
    lanes.model,
    lanes.family,
    counted.* exclude (lane_id),
from counted
inner join lanes using (lane_id)
union all by name
select
    'published counts / ' || published.model as lane,
    published_names.model,
    models.family,
    published.condition,
    published.channel,
    'all' as strength,
    published.n_probes as n_compared,
    published.n_flip as n_compared_flip,
    published.n_init_right as n_initial_right,
    published.n_init_wrong as n_initial_wrong,
    published.n_adv,
    published.n_cor,
    published.n_neutral,
    0 as n_flip_without_key,
from published
inner join published_names on published.model = published_names.published_model
inner join models on published_names.model = models.model
