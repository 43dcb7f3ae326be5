-- What the build was made of; no clock in it, so that two builds of one input are the same.

with files as (
    select * from {{ ref('raw_files') }}
),

lines as (
    select * from {{ ref('file_line_counts') }}
),

file_totals as (
    select
        sha256(string_agg(file_key || ' ' || coalesce(sha256, 'unreadable'), chr(10) order by file_id)) as input_sha256,
        count(*) filter (status = 'landed') as n_files_landed,
        count(*) filter (status = 'skipped') as n_files_skipped,
        count(*) filter (status = 'unreadable') as n_files_unreadable,
    from files
),

line_totals as (
    select
        coalesce(sum(n_lines), 0)::bigint as n_lines,
        coalesce(sum(n_debate), 0)::bigint as n_debate_lines,
        coalesce(sum(n_probe), 0)::bigint as n_probe_lines,
        coalesce(sum(n_action), 0)::bigint as n_action_lines,
        coalesce(sum(n_evaluation), 0)::bigint as n_evaluation_lines,
        coalesce(sum(n_audit_record), 0)::bigint as n_audit_record_lines,
        coalesce(sum(n_rejected), 0)::bigint as n_rejected_lines,
        coalesce(sum(n_header), 0)::bigint as n_header_lines,
        coalesce(sum(n_blank), 0)::bigint as n_blank_lines,
    from lines
)

select
    '{{ var('ledger_version') }}' as ledger_version,
    '{{ dbt_version }}' as dbt_version,
    version() as duckdb_version,
    '{{ var("endpoints") | join(", ") }}' as endpoints,
    '{{ var("default_coding_rule") }}' as default_coding_rule,
    '{{ var("default_endpoint") }}' as default_endpoint,
    {{ var("minimum_n") }} as minimum_n,
    file_totals.*,
    line_totals.*,
from file_totals
cross join line_totals
