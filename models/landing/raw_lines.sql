with files as (
    select * from {{ ref('raw_files') }}
),

records as (
    select
        rowid as line_id,
        *,
    from {{ ref('raw_records') }}
),

-- Where each file's lines begin among the row ids; lines of converted files bring their number along.
file_starts as (
    select
        path,
        min(line_id) as first_line_id,
    from records
    group by all
),

numbered as (
    select
        records.line_id,
        files.file_id,
        files.file_key,
        coalesce(records.line_number, records.line_id - file_starts.first_line_id + 1) as line_number,
        records.kind,
        records.dialect,
        records.reason,
        records.line_hash,
        records.n_bytes,
        records.n_nan_tokens,
        records.n_missing_words,
    from records
    inner join file_starts using (path)
    inner join files using (path)
)

select * from numbered
