{#-
    The files for DuckDB's line reader, as a session variable: a table function takes no subquery.
    The reader's buffer follows the longest line, for a large one costs memory on every file; it wants at least two lines of room.
-#}
{% macro set_line_files() %}
    set variable line_files = (
        select coalesce(nullif(list(path order by file_id), []), ['/dev/null'])
        from {{ ref('raw_files') }}
        where reader = 'lines'
    );
    set variable longest_line_bytes = (
        select greatest(coalesce(max(longest_line_bytes), 0) + 2, 2000000)
        from {{ ref('raw_files') }}
        where reader = 'lines'
    );
    set variable line_buffer_bytes = greatest(2 * getvariable('longest_line_bytes'), 33554432);
{% endmacro %}
