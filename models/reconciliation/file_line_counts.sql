with files as (
    select * from {{ ref('raw_files') }}
    where status = 'landed'
),

lines as (
    select * from {{ ref('raw_lines') }}
),

counted as (
    select
        file_id,
        count(*) as n_landed,
        max(line_number) as last_line_number,
        {%- for kind in ['debate', 'probe', 'action', 'evaluation', 'audit_record', 'rejected', 'header', 'blank'] %}
        count(*) filter (kind = '{{ kind }}') as n_{{ kind }},
        {%- endfor %}
        sum(n_nan_tokens)::bigint as n_nan_tokens,
        sum(n_missing_words)::bigint as n_missing_words,
        string_agg(distinct dialect, ', ' order by dialect) as dialects,
    from lines
    group by all
)

select
    files.file_id,
    files.file_key,
    files.file,
    files.n_lines,
    coalesce(counted.n_landed, 0) as n_landed,
    coalesce(counted.last_line_number, 0) as last_line_number,
    {%- for kind in ['debate', 'probe', 'action', 'evaluation', 'audit_record', 'rejected', 'header', 'blank'] %}
    coalesce(counted.n_{{ kind }}, 0) as n_{{ kind }},
    {%- endfor %}
    coalesce(counted.n_nan_tokens, 0) as n_nan_tokens,
    coalesce(counted.n_missing_words, 0) as n_missing_words,
    counted.dialects,
from files
left join counted using (file_id)
