{{ config(materialized='table') }}

-- Who is who in a debate whose agents are told by names: decided here, once.

with traces as (
    select * from {{ ref('stg_traces') }}
    where initial_ids is not null
),

lines as (
    select * from {{ ref('raw_lines') }}
),

files as (
    select * from {{ ref('raw_files') }}
),

aliases as (
    select * from {{ ref('agent_aliases') }}
),

-- Names of each round, round 0 first: of the rounds that the panels are taken from.
stated as (
    select
        traces.line_id * 2 as debate_id,
        lines.file_id,
        lines.file_key,
        lines.line_number,
        traces.n_planned_agents,
        traces.planned_names,
        list_prepend(
            traces.initial_ids,
            case
                when len(traces.round_traces_ids) > 0 then traces.round_traces_ids
                when len(traces.round_states_ids) > 0 then traces.round_states_ids
                when len(traces.rounds_ids) > 0 then traces.rounds_ids
                when coalesce(traces.round_traces_ids, traces.round_states_ids, traces.rounds_ids) is not null then []
                else [traces.final_states_ids]
            end
        ) as stated_names,
    from traces
    inner join lines using (line_id)
    where
        list_count(traces.initial_ids) > 0
        and (
            traces.final_states_ids is not null
            or coalesce(traces.round_traces_ids, traces.round_states_ids, traces.rounds_ids) is not null
        )
),

file_aliases as (
    select
        files.file_id,
        aliases.* exclude (reason),
    from files
    inner join aliases
        on
            aliases.file_pattern is null
            or (files.file_key glob aliases.file_pattern)
            or (files.stem glob aliases.file_pattern)
            or (files.file glob aliases.file_pattern)
),

file_settings as (
    select
        file_id,
        coalesce(bool_or(by_position), false) as is_by_position,
        list(distinct agent_id) filter (agent_id is not null) as listed_agents,
    from file_aliases
    group by all
),

-- Names are looked up once per file.
stated_names as (
    select distinct
        file_id,
        unnest(flatten(stated_names)) as name,
    from stated
    semi join file_settings using (file_id)
),

-- A spelling goes before a pattern, a file's own row before one for all; an agent's own name is its own.
meanings as (
    select
        stated_names.file_id,
        stated_names.name,
        file_aliases.agent_id,
        if(file_aliases.alias = stated_names.name, 0, 2) + if(file_aliases.file_pattern is null, 1, 0) as place,
    from stated_names
    inner join file_settings using (file_id)
    inner join file_aliases
        on
            stated_names.file_id = file_aliases.file_id
            and (
                stated_names.name = file_aliases.alias or coalesce(try(regexp_full_match(stated_names.name, file_aliases.pattern)), false)
            )
    where not list_contains(file_settings.listed_agents, stated_names.name)
    qualify place = min(place) over (partition by stated_names.file_id, stated_names.name)
),

-- What two rows give to two agents is neither's.
renamed as (
    select
        file_id,
        name,
        min(agent_id) as agent_id,
        count(distinct agent_id) > 1 as is_ambiguous,
    from meanings
    group by all
),

file_names as (
    select
        file_id,
        map_from_entries(list({'k': name, 'v': agent_id} order by name) filter (not is_ambiguous)) as agents,
        list(name order by name) filter (is_ambiguous) as ambiguous_names,
    from renamed
    group by all
),

aliased as (
    select
        stated.* exclude (planned_names),
        coalesce(file_settings.is_by_position, false) as is_by_position,
        list_concat(stated.planned_names, file_settings.listed_agents) as listed_agents,
        list_filter(file_names.ambiguous_names, lambda n: list_contains(flatten(stated.stated_names), n)) as ambiguous_names,
        if(
            file_names.agents is null,
            stated.stated_names,
            list_transform(stated.stated_names, lambda p: list_transform(p, lambda n: coalesce(file_names.agents[n], n)))
        ) as aliased_names,
    from stated
    left join file_settings using (file_id)
    left join file_names using (file_id)
),

-- Where two names of one round would be one agent, the debate keeps the names that it has.
conflicted as (
    select
        *,
        list_sort(list_distinct(
            flatten(
                list_transform(
                    list_filter(range(1, len(stated_names) + 1), lambda i: list_unique(aliased_names[i]) < len(aliased_names[i])),
                    lambda i: list_transform(
                        list_filter(
                            range(1, len(stated_names[i]) + 1),
                            lambda j: len(list_filter(aliased_names[i], lambda a: a = aliased_names[i][j])) > 1
                        ),
                        lambda j: stated_names[i][j]
                    )
                )
            )
        )) as conflicting_names,
    from aliased
),

named as (
    select
        * exclude (aliased_names),
        if(len(conflicting_names) > 0, stated_names, aliased_names) as aliased_names,
    from conflicted
),

-- Read by position, where that is asked for: a round as long as round 0, in which no agent of round 0 stands elsewhere.
placed as (
    select
        * exclude (aliased_names),
        if(
            is_by_position,
            list_transform(
                aliased_names,
                lambda p: if(
                    len(p) = len(aliased_names[1])
                    and list_bool_and(
                        list_transform(
                            range(1, len(p) + 1), lambda i: aliased_names[1][i] = p[i] or not list_contains(aliased_names[1], p[i])
                        )
                    ),
                    aliased_names[1],
                    p
                )
            ),
            aliased_names
        ) as names,
    from named
),

all_named as (
    select
        *,
        list_sort(list_distinct(flatten(names))) as all_names,
    from placed
),

-- An agent that was planned, or that the line or the seed lists, may be asked later than others.
told_apart as (
    select
        *,
        if(
            coalesce(len(all_names) <= n_planned_agents, false),
            [],
            list_filter(all_names, lambda n: not list_contains(names[1], n) and not list_contains(listed_agents, n))
        ) as unknown_names,
    from all_named
),

-- An unknown name may be of any agent that never stood beside it.
doubted as (
    select
        *,
        flatten(
            list_transform(
                unknown_names,
                lambda u: list_transform(
                    list_filter(
                        all_names,
                        lambda n: n <> u
                        and not list_bool_or(list_transform(names, lambda p: list_contains(p, u) and list_contains(p, n)))
                    ),
                    lambda n: {'name': u, 'other': n}
                )
            )
        ) as doubts,
    from told_apart
)

select
    debate_id,
    file_id,
    file_key,
    line_number,
    stated_names,
    names,
    -- In the order of their names, numbers first.
    list_transform(
        list_sort(list_transform(all_names, lambda a: {'n': coalesce(try_cast(a as bigint), 9223372036854775807), 'id': a})),
        lambda a: a.id
    ) as roster,
    -- Where names may be of one agent, the largest round tells how many there are.
    if(len(doubts) > 0, list_max(list_transform(names, lambda p: len(p))), len(all_names)) as n_agents,
    coalesce(ambiguous_names, []) as ambiguous_names,
    conflicting_names,
    unknown_names,
    doubts,
    if(
        len(doubts) > 0, list_transform(range(1, len(names) + 1), lambda i: not {{ holds_doubt('doubts', 'names[i]', 'names[1]') }}), null
    ) as are_initial_agents_met,
    if(
        len(doubts) > 0,
        list_transform(range(1, len(names) + 1), lambda i: i = 1 or not {{ holds_doubt('doubts', 'names[i]', 'names[i - 1]') }}),
        null
    ) as are_previous_agents_met,
from doubted
