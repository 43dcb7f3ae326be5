{#-
    What the parse of the lines is told beforehand, as session variables, since a table function takes no subquery: the files, the room
    for the longest line, and the key sets of the first lines. A line with one of these key sets has
    no key twice; looking that up takes a third of the time of counting its keys.
-#}
{% macro set_line_files() %}
    set variable line_files = (
        select coalesce(nullif(list(path order by file_id), []), ['/dev/null'])
        from {{ ref('raw_files') }}
        where reader = 'lines'
    );
    set variable longest_line_bytes = (
        select greatest(coalesce(max(longest_line_bound), 0) + 2, 2000000)
        from {{ ref('raw_files') }}
        where reader = 'lines'
    );
    set variable line_buffer_bytes = greatest(2 * getvariable('longest_line_bytes'), 67108864);
    set variable usual_keys = (
        select coalesce(list(distinct to_json(key_lists)::varchar), [])
        from (
            select {{ line_keys('line') }} as key_lists
            from {{ read_lines() }}
            limit 1000
        )
        where len(key_lists[1]) = list_unique(key_lists[1])
    );
    {{ set_agent_names() }}
{% endmacro %}

{#- DuckDB's line reader on the plain files; char 30 cannot stand in JSON, and the files that hold it are not among them. -#}
{% macro read_lines() -%}
read_csv(
    getvariable('line_files'),
    columns = {'line': 'VARCHAR'},
    auto_detect = false,
    header = false,
    delim = chr(30),
    quote = '',
    escape = '',
    comment = '',
    filename = true,
    hive_partitioning = false,
    max_line_size = getvariable('longest_line_bytes'),
    buffer_size = getvariable('line_buffer_bytes')
)
{%- endmacro %}

{#-
    Keys of a line, of its first initial state, of its first round, of the first agent of that, and of its first reply; null for a line
    that is no JSON.
-#}
{% macro line_keys(line) -%}
try(json_keys({{ line }}, ['$', '$.initial_states[0]', '$.round_traces[0]', '$.round_traces[0][0]', '$.probe_results[0]']))
{%- endmacro %}
