-- What a verifier gave to the right option of a question: one row per evaluation, typed.
-- A probability has eight decimals, so it is a whole number of 10⁻⁸; nothing is compared in doubles.

with records as (
    select
        rowid as line_id,
        evaluation as e,
    from {{ ref('raw_records') }}
    where kind = 'evaluation'
),

lines as (
    select * from {{ ref('raw_lines') }}
    where kind = 'evaluation'
),

files as (
    select * from {{ ref('raw_files') }}
),

names as (
    select * from {{ ref('audit_names') }}
),

datasets as (
    select * from names
    where kind = 'dataset'
),

models as (
    select * from names
    where kind = 'model'
)

select
    files.folder as cohort,
    lines.file_id,
    lines.file_key,
    lines.line_number,
    {{ published_label('records.e.run_id') }} as run_id,
    coalesce(records.e.stage, 'one') as stage,
    coalesce({{ published_label("nullif(records.e.pool, '')") }}, 'any') as pool,
    coalesce(datasets.name, {{ published_label('trim(records.e.dataset)') }}) as dataset,
    coalesce(models.name, {{ published_label('trim(records.e.model)') }}) as model,
    records.e.arm,
    {{ published_label('trim(records.e.pair_id)') }} as pair_id,
    records.e.dataset_index::integer as dataset_index,
    records.e.phase,
    records.e.q_key,
    case
        when records.e.phase = 'search' then coalesce({{ published_label("nullif(trim(records.e.generator), '')") }}, 'search')
        when records.e.phase = 'test' then {{ published_label('trim(records.e.generator)') }}
        else '-'
    end as generator,
    coalesce(records.e.draw::integer, 0) as draw,
    lower(records.e.question_sha256) as question_sha256,
    replace(records.e.p_true, '.', '')::integer as p_e8,
    records.e.correct::boolean as is_correct,
    coalesce(records.e.stop::boolean, false) as is_stop,
    {{ as_timestamp('records.e.scored_at') }} as scored_at,
from records
inner join lines using (line_id)
inner join files using (file_id)
left join datasets on datasets.stored_name = trim(records.e.dataset)
left join models on models.stored_name = trim(records.e.model)
