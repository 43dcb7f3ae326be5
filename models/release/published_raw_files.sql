{{ config(alias='raw_files') }}

with files as (
    select * from {{ ref('raw_files') }}
),

counts as (
    select * from {{ ref('file_line_counts') }}
),

releases as (
    select * from {{ ref('source_files') }}
)

select
    files.file_key,
    files.file,
    files.format,
    files.status,
    files.reason,
    files.n_bytes,
    files.sha256,
    files.n_lines,
    counts.n_debate as n_debate_lines,
    counts.n_probe as n_probe_lines,
    counts.n_action as n_action_lines,
    counts.n_evaluation as n_evaluation_lines,
    counts.n_audit_record as n_audit_record_lines,
    counts.n_rejected as n_rejected_lines,
    counts.n_header as n_header_lines,
    counts.n_blank as n_blank_lines,
    counts.n_nan_tokens,
    counts.n_missing_words,
    counts.dialects,
    releases.release,
    releases.is_invented,
    releases.licence,
    releases.attribution,
from files
left join counts using (file_id)
left join releases on files.file glob releases.file_pattern
order by files.file_id
