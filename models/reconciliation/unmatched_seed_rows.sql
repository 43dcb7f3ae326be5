-- Seed rows that meet nothing in the landed data: fine for a file that is not here, a typing error otherwise.

with inferred as (
    select * from {{ ref('int_association_points') }}
),

variables as (
    select distinct variable from inferred
),

association_tests as (
    select * from {{ ref('association_tests') }}
),

tested as (
    select
        concat_ws(', ', predictor, outcome, controls) as test,
        unnest(list_distinct(list_concat(
            [predictor, outcome],
            list_filter(list_transform(string_split(coalesce(controls, ''), ';'), lambda c: trim(c)), lambda c: c <> '')
        ))) as variable,
    from association_tests
),

groupings as (
    select * from {{ ref('groupings') }}
),

model_traits as (
    select * from {{ ref('model_traits') }}
),

models as (
    select * from {{ ref('models') }}
),

joint_drops as (
    select * from {{ ref('joint_drops') }}
),

inference_settings as (
    select * from {{ ref('inference_settings') }}
),

floors as (
    select * from {{ ref('dose_floor_pairs') }}
),

rungs as (
    select * from {{ ref('dose_rungs') }}
),

quantities as (
    select * from {{ ref('int_published_quantities') }}
),

reproduction_sources as (
    select * from {{ ref('reproduction_sources') }}
),

reproduction_exceptions as (
    select * from {{ ref('reproduction_exceptions') }}
),

comparisons as (
    select * from {{ ref('arm_comparisons') }}
),

compared as (
    select distinct comparison
    from {{ ref('int_arm_pairs') }}
),

known_debates as (
    select * from {{ ref('int_debates') }}
),

dropped as (
    select * from {{ ref('dropped_debates') }}
),

debates as (
    select * from {{ ref('stg_debates') }}
),

members as (
    select * from {{ ref('cohort_members') }}
),

lane_models as (
    select * from {{ ref('lane_models') }}
),

lanes as (
    select * from {{ ref('int_lanes') }}
),

files as (
    select * from {{ ref('raw_files') }}
),

dropped_batteries as (
    select * from {{ ref('dropped_batteries') }}
),

batteries as (
    select * from {{ ref('stg_probe_rows') }}
),

screen_lanes as (
    select * from {{ ref('screen_lanes') }}
),

probe_lanes as (
    select * from {{ ref('int_probe_lanes') }}
),

retests as (
    select * from {{ ref('probe_retests') }}
),

agent_aliases as (
    select * from {{ ref('agent_aliases') }}
),

-- Names are only looked through where there is a row to look for.
agent_spellings as (
    select distinct
        file_key,
        unnest(flatten(stated_names)) as name,
    from {{ ref('stg_agent_names') }}
    where (select count(*) from agent_aliases) > 0
),

aliased_names as (
    select
        files.file_key,
        files.stem,
        files.file,
        agent_spellings.name,
    from files
    left join agent_spellings using (file_key)
),

-- Pairs of which both sides are there.
screened as (
    select pairs.*
    from {{ ref('int_screen_pairs') }} as pairs
    inner join {{ ref('model_ledger') }} as ledger on pairs.cohort = ledger.cohort and pairs.model = ledger.model
),

present as (
    select
        lanes.file_key,
        lanes.stored_model,
        lanes.condition,
        lanes.mode,
        lanes.model,
        files.file,
        files.stem,
    from lanes
    inner join files using (file_id)
),

present_names as (
    select
        file_key,
        stem,
        stored_model,
        condition,
    from present
    union all
    select
        probe_lanes.file_key,
        files.stem,
        probe_lanes.stored_model,
        null as condition,
    from probe_lanes
    inner join files using (file_id)
)

select
    'dropped_debates' as seed,
    dropped.debate_key as seed_row,
    dropped.reason,
from dropped
anti join debates using (debate_key)
union all
select
    'cohort_members' as seed,
    members.cohort || ', ' || members.file_pattern || ', ' || members.model_pattern
    || coalesce(', ' || members.condition_pattern, '') as seed_row,
    members.reason,
from members
anti join present
    on
        (
            (present.file_key glob members.file_pattern)
            or (present.stem glob members.file_pattern)
            or (present.file glob members.file_pattern)
        )
        and (present.model glob members.model_pattern)
        and (members.condition_pattern is null or coalesce(present.condition, present.mode, '') glob members.condition_pattern)
union all
select
    'lane_models' as seed,
    concat_ws(', ', lane_models.file_key, lane_models.stored_model, lane_models.condition) as seed_row,
    lane_models.reason,
from lane_models
anti join present_names
    on
        lane_models.file_key in (present_names.file_key, present_names.stem)
        and (lane_models.stored_model is null or lane_models.stored_model = present_names.stored_model)
        and (lane_models.condition is null or lane_models.condition = present_names.condition)
union all
select
    'agent_aliases' as seed,
    concat_ws(', ', agent_aliases.file_pattern, agent_aliases.alias, agent_aliases.pattern, agent_aliases.agent_id) as seed_row,
    agent_aliases.reason,
from agent_aliases
anti join aliased_names
    on
        (
            agent_aliases.file_pattern is null
            or (aliased_names.file_key glob agent_aliases.file_pattern)
            or (aliased_names.stem glob agent_aliases.file_pattern)
            or (aliased_names.file glob agent_aliases.file_pattern)
        )
        and (
            agent_aliases.by_position
            or agent_aliases.alias = aliased_names.name
            or coalesce(try(regexp_full_match(aliased_names.name, agent_aliases.pattern)), false)
        )
union all
select
    'dropped_batteries' as seed,
    dropped_batteries.battery_key as seed_row,
    dropped_batteries.reason,
from dropped_batteries
anti join batteries using (battery_key)
union all
select
    'screen_lanes' as seed,
    screen_lanes.cohort || ', ' || screen_lanes.model || ', ' || screen_lanes.probe_lane as seed_row,
    screen_lanes.reason,
from screen_lanes
anti join screened
    on
        screen_lanes.cohort = screened.cohort
        and screen_lanes.model = screened.model
        and screen_lanes.probe_lane = screened.probe_lane
union all
select
    'probe_retests' as seed,
    retests.first_file || ', ' || retests.second_file as seed_row,
    retests.reason,
from retests
anti join present_names as first_names on retests.first_file in (first_names.file_key, first_names.stem)
union all
select
    'probe_retests' as seed,
    retests.first_file || ', ' || retests.second_file as seed_row,
    retests.reason,
from retests
semi join present_names as first_names on retests.first_file in (first_names.file_key, first_names.stem)
anti join present_names as second_names on retests.second_file in (second_names.file_key, second_names.stem)
union all
select
    'association_tests' as seed,
    tested.test as seed_row,
    'no row has a variable ' || tested.variable as reason,
from tested
anti join variables on tested.variable = variables.variable
union all
{%- for seed in ['groupings', 'model_traits'] %}
select
    '{{ seed }}' as seed,
    {{ seed }}.{{ 'grouping' if seed == 'groupings' else 'trait' }} || ', ' || {{ seed }}.model as seed_row,
    {{ seed }}.reason,
from {{ seed }}
anti join inferred on {{ seed }}.model = inferred.model
anti join models on {{ seed }}.model = models.model
union all
{%- endfor %}
select
    'joint_drops' as seed,
    joint_drops.selection || ', ' || joint_drops.family as seed_row,
    joint_drops.reason,
from joint_drops
anti join inferred on joint_drops.family = inferred.family
union all
select
    'inference_settings' as seed,
    inference_settings.cohort as seed_row,
    inference_settings.reason,
from inference_settings
anti join inferred on inference_settings.cohort = inferred.cohort
where inference_settings.cohort <> '*'
union all
select
    'dose_floor_pairs' as seed,
    floors.experiment || ', ' || floors.model as seed_row,
    'no ladder of this experiment and model' as reason,
from floors
anti join rungs on floors.experiment = rungs.experiment and floors.model = rungs.model
union all
{%- for seed in ['reproduction_sources', 'reproduction_exceptions'] %}
select
    '{{ seed }}' as seed,
    {{ seed }}.study || ', ' || {{ seed }}.statistic || ', ' || {{ seed }}.quantity as seed_row,
    'no such number is published' as reason,
from {{ seed }}
anti join quantities using (study, statistic, quantity)
union all
{%- endfor %}
{%- for lane in ['first_lane', 'second_lane'] %}
select
    'arm_comparisons' as seed,
    comparisons.comparison || ', ' || comparisons.{{ lane }} as seed_row,
    comparisons.reason,
from comparisons
anti join known_debates on comparisons.{{ lane }} in (known_debates.lane, known_debates.file_key)
union all
{%- endfor %}
select
    'arm_comparisons' as seed,
    comparisons.comparison || ', ' || comparisons.first_lane || ', ' || comparisons.second_lane as seed_row,
    'no question is in both lanes once and in one cohort' as reason,
from comparisons
semi join known_debates as first_debates on comparisons.first_lane in (first_debates.lane, first_debates.file_key)
semi join known_debates as second_debates on comparisons.second_lane in (second_debates.lane, second_debates.file_key)
anti join compared on comparisons.comparison = compared.comparison
