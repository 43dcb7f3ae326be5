-- What the files of the verifier audit say beside evaluations: one row per record, with the record itself as text. The models after this
-- one read it kind by kind.

with records as (
    select
        rowid as line_id,
        short_line,
    from {{ ref('raw_records') }}
    where kind = 'audit_record'
),

lines as (
    select * from {{ ref('raw_lines') }}
    where kind = 'audit_record'
),

files as (
    select * from {{ ref('raw_files') }}
),

names as (
    select * from {{ ref('audit_names') }}
),

parsed as (
    select
        files.folder as cohort,
        lines.file_id,
        lines.file_key,
        regexp_replace(files.file, '/[^/]*$', '') as directory,
        lines.line_number,
        json_extract_string(records.short_line, '$.record') as record,
        trim(json_extract_string(records.short_line, '$.dataset')) as stored_dataset,
        trim(json_extract_string(records.short_line, '$.model')) as stored_model,
        {{ published_label("json_extract_string(records.short_line, '$.arm')") }} as arm,
        {{ published_label("json_extract_string(records.short_line, '$.pair_id')") }} as pair_id,
        records.short_line as text,
    from records
    inner join lines using (line_id)
    inner join files using (file_id)
)

select
    parsed.cohort,
    parsed.file_id,
    parsed.file_key,
    parsed.directory,
    parsed.line_number,
    parsed.record,
    coalesce(datasets.name, {{ published_label('parsed.stored_dataset') }}) as dataset,
    coalesce(models.name, {{ published_label('parsed.stored_model') }}) as model,
    parsed.arm,
    parsed.pair_id,
    parsed.text,
from parsed
left join names as datasets on datasets.kind = 'dataset' and parsed.stored_dataset = datasets.stored_name
left join names as models on models.kind = 'model' and parsed.stored_model = models.stored_name
